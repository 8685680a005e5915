# A source's manifest with two signers, which the root seal then covers.
. "$REPO/tests/cli/sign/common"
sealed
"$PTXSEAL" keygen --type p256 --out two.key --public two.pub >keygen.out
quiet trust --add two.pub --name two --role import b
"$PTXSEAL" trust --threshold import=2 b
quiet seal --role root --key root.key b || true
failing "$PTXSEAL" verify b | hide
"$PTXSEAL" sign --key two.key --manifest demo b | hide
failing "$PTXSEAL" verify b | hide
"$PTXSEAL" seal --role root --key root.key b | hide
"$PTXSEAL" verify b | hide

echo "-- sealed as import again: nothing changes; with other figures the other has to sign again"
cp b/manifests/demo.dsse.json before
quiet seal --role import --key import.key b
cmp before b/manifests/demo.dsse.json
echo '{"row":"2"}' >b/artifact/expected/demo/best.jsonl
failing "$PTXSEAL" sign --key two.key --manifest demo b | hide
quiet seal --role import --key import.key b
"$PTXSEAL" seal --role root --key root.key b | hide | tail -n 1
