# model-signing verifies our OMS bundle with a P-256 key, and not after one byte changed, a file came or went, or with another key; nor do we.
. "$REPO/tests/cli/sign/common"
model_signing=$(dirname "${JUDGES:-none}")/model_signing
[ -x "$model_signing" ] || { echo "model-signing is not installed (scripts/setup --tests installs it)"; exit 77; }
sealed
"$PTXSEAL" keygen --type p256 --out p.key --public p.pub >keygen.out
"$PTXSEAL" keygen --type p256 --out q.key --public q.pub >keygen.out
mkdir -p 'b/notes of mine/deep' && touch 'b/notes of mine/deep/x' b/README
"$PTXSEAL" export oms --key p.key --output p.oms b
both() { # what the two say
	local key=${1-p.pub} theirs=0 ours=0

	"$model_signing" verify key --signature p.oms --public_key "$key" b >log 2>&1 || theirs=$?
	"$PTXSEAL" verify --oms p.oms --oms-key "$key" b >ours || ours=$?
	echo "$theirs $ours"
	hide <ours | sed '/^verified/d'
}
both
both q.pub
"$PTXSEAL" pack --output b.tar.zst b >log && "$PTXSEAL" unpack b.tar.zst bag >log
mv b apart && mv bag/data b && both && rm -r b && mv apart b
cp -R b whole
again() {
	both
	rm -rf b
	cp -R whole b
}
sed -i 's/gemm/gemn/' b/tasks/gemm/task.json && again
touch b/artifact/more && again
rm b/checksums/SHA256SUMS.sig && again
mv b/tasks/gemm/task.json b/tasks/gemm/other.json && again
ln -s task.json b/tasks/gemm/link && both | sed -n 1p; rm b/tasks/gemm/link

echo "-- the bundle file itself: a byte of the statement, another signature, its hint"
cp p.oms good
field() { sed 's/.*"'"$1"'":"\([^"]*\)".*/\1/' good; }
changed=$(field payload | base64 -d | sed 's/gemm/gemn/' | base64 -w 0)
sed "s|$(field payload)|$changed|" good >p.oms && both
"$PTXSEAL" export oms --key q.key --output q.oms b
sed "s|$(field sig)|$(sed 's/.*"sig":"\([^"]*\)".*/\1/' q.oms)|" good >p.oms && both
sed "s|\"hint\":\"[^\"]*|&x|; s|x\"},\"tlog|\"},\"tlog|; s|\"hint\":\"....|\"hint\":\"0000|" good >p.oms && both
echo "-- keys that OMS does not take"
"$PTXSEAL" export oms --key root.key b 2>&1 | hide || true
cp good p.oms
"$PTXSEAL" verify --oms p.oms --oms-key root.pub b 2>&1 | hide || true
exit 0
