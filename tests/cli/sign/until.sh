# R-SIG-012: a key with an end date signs only what is dated, no later. Today's date is never asked.
. "$REPO/tests/cli/sign/common"
two_root_keys --until 2020-02-29
failing "$PTXSEAL" seal --role root --key two.key b | hide
failing "$PTXSEAL" seal --role root --key two.key --date 2020-03-01 b | hide
failing "$PTXSEAL" seal --role root --key two.key --date 2019-02-29 b | hide | head -n 1
"$PTXSEAL" seal --role root --key two.key --date 2020-02-29 b | hide
"$PTXSEAL" verify b | hide
"$PTXSEAL" verify --json b | grep -o '"date":"[^"]*"\|"until":"[^"]*"'
faketime=$(command -v faketime || true)
[ -z "$faketime" ] || faketime 2077-01-01 "$PTXSEAL" verify b >log # the same answer on another day

echo "-- a statement that was given another date afterwards, and one without"
payload b/manifests/root.dsse.json >p
sed 's/2020-02-29/2020-03-01/' p | envelope b/manifests/root.dsse.json two.key
failing "$PTXSEAL" verify b | hide
sed 's/"date":"2020-02-29",//' p | envelope b/manifests/root.dsse.json two.key
failing "$PTXSEAL" verify b | hide
sed 's/2020-02-29/2020-02-30/' p | envelope b/manifests/root.dsse.json two.key
failing "$PTXSEAL" verify b | hide

echo "-- a second signer whose key had ended"
sed -i 's/"until":"2020-02-29"/"until":"2019-12-31"/' b/manifests/trust.json
"$PTXSEAL" seal --role root --key root.key --date 2020-01-01 b | hide
failing "$PTXSEAL" sign --key two.key b | hide
