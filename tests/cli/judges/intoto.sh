# in-toto-verify of Debian takes our layout and link, and not after one byte changed, or a file came or went.
. "$REPO/tests/cli/sign/common"
verifier=/usr/bin/in-toto-verify
[ -x $verifier ] || { echo "in-toto is not installed"; exit 77; }
sealed
mkdir -p b/artifact/facts && echo '{}' >'b/artifact/facts/a "quoted" näme.jsonl' # (a backslash in-toto itself reads as /)
"$PTXSEAL" seal --role root --key root.key b >log
"$PTXSEAL" export in-toto --key root.key --output it b | hide
ls it | sed 's/\.[0-9a-f]\{8\}\./.KEYID./'
judge() {
	local code=0

	(cd b && $verifier -l ../it/root.layout -k ../it/seal.pub.json -t ed25519 --link-dir ../it) >log 2>&1 || code=$?
	rm -f b/bundle.link
	echo "$code $(grep -o '[A-Za-z]*Error\|[A-Za-z]*RuleVerification[A-Za-z]*' log | head -n 1)"
}
judge
"$PTXSEAL" pack --output b.tar.zst b >log && "$PTXSEAL" unpack b.tar.zst bag >log
mv b apart && mv bag/data b && judge && rm -r b && mv apart b
cp -R b whole
again() {
	judge
	rm -rf b
	cp -R whole b
}
sed -i 's/gemm/gemn/' b/tasks/gemm/task.json && again
touch b/artifact/more && again
touch b/more && again
rm b/tasks/gemm/task.json && again
cp -R it good
sed -i 's/"expires":"9/"expires":"8/' it/root.layout && judge
rm -r it && cp -R good it
sed -i 's/"name":"seal","products":{"a/"name":"seal","products":{"b/' it/seal.*.link && judge
rm -r it && cp -R good it
"$PTXSEAL" export in-toto --key import.key --output other b >log
cp other/root.layout it && judge
echo "-- a layout that has ended, by the verifier's own clock"
rm -r it
"$PTXSEAL" export in-toto --key root.key --expires 2020-01-01 --output it b >log
judge
"$PTXSEAL" keygen --type p256 --out p.key --public p.pub >log
"$PTXSEAL" export in-toto --key p.key --output it b 2>&1 || true
exit 0
