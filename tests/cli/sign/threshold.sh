# R-SIG-011: as many distinct root keys sign as trust.json demands. Each may do it once, and the reader may name any of them.
. "$REPO/tests/cli/sign/common"
two_root_keys
failing quiet trust --threshold root=3 b | hide
"$PTXSEAL" trust --threshold root=2 b
"$PTXSEAL" seal --role root --key root.key b | hide
failing "$PTXSEAL" verify b | hide
"$PTXSEAL" sign --key two.key b | hide
"$PTXSEAL" verify b | hide
"$PTXSEAL" verify --key root.pub b | hide
"$PTXSEAL" verify --key two.pub b | hide
"$PTXSEAL" verify --json b | grep -o '"root_signers":.*,"schema"' | hide
failing "$PTXSEAL" verify --key import.pub b | hide
failing "$PTXSEAL" sign --key two.key b | hide

echo "-- sealed again, the same: both signatures stay"
cp b/manifests/root.dsse.json before
"$PTXSEAL" seal --role root --key root.key b | hide
cmp before b/manifests/root.dsse.json
"$PTXSEAL" seal --role root --key two.key b | hide
cmp before b/manifests/root.dsse.json

echo "-- one signature taken out, both swapped, one twice, one of other bytes"
one=$(grep -o '{"keyid":[^}]*}' before | head -n 1) other=$(grep -o '{"keyid":[^}]*}' before | tail -n 1)
sed "s|,$other||" before >b/manifests/root.dsse.json
failing "$PTXSEAL" verify b | hide
sed "s|$one,$other|$other,$one|" before >b/manifests/root.dsse.json
failing "$PTXSEAL" verify b | hide
sed "s|,$other|,$one|" before >b/manifests/root.dsse.json
failing "$PTXSEAL" verify b | hide
sed "s|$other|$(sed 's/"sig":"[^"]*/"sig":"'"$(head -c 64 /dev/zero | base64 -w 0)"'/' <<<"$other")|" before >b/manifests/root.dsse.json
failing "$PTXSEAL" verify b | hide | sed 's|by keys/[a-z]*.pem|by KEY|'
