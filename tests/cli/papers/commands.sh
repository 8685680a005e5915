# Every command that AE.md and README.md show runs as it stands there, and section 5 of AE.md, which needs no program of
# ours, finds what was changed, added or not signed.
mkdir bundle
cp -r "$REPO/artifact" "$REPO/tasks" "$REPO/manifests" bundle
for role in import root; do
	"$PTXSEAL" keygen --out $role.key --public $role.pub >log || exit 1
	"$PTXSEAL" seal --role $role --name $role --replace --key $role.key bundle >log || exit 1
done
mkdir bundle/build
ln -s "$PTXSEAL" bundle/build/ptxseal
shown() {
	sed -n "$2" "$REPO/$1" | sed -n 's/^    //p'
}
shown AE.md '/^## 5/,/^## 6/p' | sed "s|/tmp/|$PWD/|g" >by_hand
{
	shown AE.md '/^### Experiments/,/^## 5/p'
	shown README.md '/^## How to go on/,$p'
} >with_program
run() {
	(cd bundle && bash -euo pipefail "../$1" >../log 2>&1) && echo "$1: holds" || echo "$1: does not hold"
}
[ -s by_hand ] && [ -s with_program ] || exit 1
run by_hand
run with_program
cp -r bundle whole

# Where openssl is missing or fails, no command that needs it passes, even by itself in a shell without pipefail: a hash of nothing is no fingerprint.
mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/openssl
chmod +x bin/openssl
grep openssl by_hand >with_openssl || exit 1
while IFS= read -r command; do
	(cd bundle && PATH=$PWD/../bin:$PATH bash -c "$command" >../log 2>&1) && echo "passes without openssl: $command"
done <with_openssl

echo >>bundle/tasks/gemm_n7168_k5120/facts.json
run by_hand
rm -r bundle && cp -r whole bundle
for stray in 'touch artifact/extra' 'ln -s /etc/passwd artifact/tables/evil.sql' 'mkdir artifact/empty' 'touch checksums/extra'; do
	(cd bundle && $stray)
	run by_hand
	rm -r bundle && cp -r whole bundle
done
"$PTXSEAL" keygen --out other.key --public other.pub >log
cp other.pub bundle/manifests/keys/root.pem
(cd bundle && find artifact tasks manifests -type f ! -path manifests/root.dsse.json | LC_ALL=C sort | xargs sha256sum >checksums/SHA256SUMS)
run by_hand
