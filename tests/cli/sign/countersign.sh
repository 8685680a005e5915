# A reviewer with an SSH key of any of three kinds countersigns; ssh-keygen itself finds what we keep good, and not for other bytes.
. "$REPO/tests/cli/sign/common"
ssh_tools
sealed
reviewer alice ed25519
reviewer bob ecdsa -b 256
reviewer carol rsa -b 2048
"$PTXSEAL" trust --threshold review=2 b
"$PTXSEAL" seal --role root --key root.key b | hide
failing "$PTXSEAL" verify b | hide
for name in alice bob carol; do
	review $name
	"$PTXSEAL" sign --ssh $name.sshsig --reviewer $name b
done
failing "$PTXSEAL" verify b | hide
cp b/checksums/SHA256SUMS sums
"$PTXSEAL" seal --role root --key root.key b | hide
cmp sums b/checksums/SHA256SUMS
"$PTXSEAL" verify b | hide
"$PTXSEAL" verify --json b | grep -o '"countersigned":[^]]*' | hide

for name in alice bob carol; do
	printf '%s namespaces="ptxseal-manifest" %s\n' $name "$(cat $name.pub)"
done >allowed
tr 0 1 <sums >other
for name in alice bob carol; do
	kept=b/manifests/countersignatures/$name.sshsig
	ssh-keygen -Y verify -f allowed -I $name -n ptxseal-manifest -s $kept <sums | sed 's/SHA256:.*//'
	! ssh-keygen -Y verify -f allowed -I $name -n ptxseal-manifest -s $kept <other >log 2>&1 || echo "ssh-keygen takes other bytes"
	! ssh-keygen -Y verify -f allowed -I $name -n file -s $kept <sums >log 2>&1 || echo "ssh-keygen takes another namespace"
done

echo "-- of a manifest"
review alice manifests/demo.dsse.json
"$PTXSEAL" sign --ssh alice.sshsig --reviewer alice --manifest demo b
"$PTXSEAL" seal --role root --key root.key b | hide
"$PTXSEAL" verify b | hide | grep Countersigned

echo "-- removed, changed by a byte, added, swapped, under another name"
cp -R b whole
try() {
	failing "$PTXSEAL" verify b | hide
	rm -r b
	cp -R whole b
}
rm b/manifests/countersignatures/carol.sshsig && try
sed -i '3s/^./A/' b/manifests/countersignatures/bob.sshsig && try
cp b/manifests/countersignatures/alice.sshsig b/manifests/countersignatures/dave.sshsig && try
cp b/manifests/countersignatures/alice.sshsig b/manifests/countersignatures/carol.sshsig && try
mkdir b/manifests/countersignatures/other && cp b/manifests/countersignatures/alice.sshsig b/manifests/countersignatures/other && try
echo hello >b/manifests/countersignatures/notes && try
sed -i 's/$/\r/' b/manifests/countersignatures/alice.sshsig && try

echo "-- what is sealed changes: the countersignatures are of what was, so they have to go"
echo '{"name":"gemm2"}' >b/tasks/gemm/task.json
failing "$PTXSEAL" seal --role root --key root.key b | hide
rm b/manifests/countersignatures/*.sshsig
"$PTXSEAL" seal --role root --key root.key b | hide
failing "$PTXSEAL" verify b | hide

echo "-- packed, and read as it streams"
rm -r b && cp -R whole b
quiet pack --output b.tar.zst b
"$PTXSEAL" verify b.tar.zst | hide | grep Countersigned
# One that was removed leaves a directory, which the next seal takes away (R-BND-006).
find b/manifests/countersignatures -type f -delete
quiet seal --role root --key root.key b
[ ! -e b/manifests/countersignatures ] && echo 'it is gone'
