# R-CSG-001 to R-CSG-006: what is not a reviewer's countersignature is not put into a bundle.
. "$REPO/tests/cli/sign/common"
ssh_tools
sealed
reviewer alice ed25519
reviewer bob ecdsa -b 256
ssh-keygen -q -N '' -C eve -f eve -t ecdsa -b 384
failing "$PTXSEAL" trust --add eve.pub --name eve --role review b | hide
quiet seal --role root --key root.key b
cp -R b before
put() {
	failing "$PTXSEAL" sign --ssh "$@" b | hide
}
review alice checksums/SHA256SUMS file
put alice.sshsig --reviewer alice
review alice tasks/gemm/task.json
put alice.sshsig --reviewer alice
review alice
put alice.sshsig --reviewer bob
put alice.sshsig --reviewer root
put alice.sshsig --reviewer nobody
put alice.sshsig --reviewer ../alice
put alice.sshsig --reviewer alice --manifest root
put alice.sshsig --reviewer alice --manifest demo
put alice.sshsig --reviewer alice --manifest nothing
sed 's/BEGIN SSH/BEGIN/' alice.sshsig >x && put x --reviewer alice
sed '2s/^U/V/' alice.sshsig >x && put x --reviewer alice
sed '2s/^\(..........\)./\1_/' alice.sshsig >x && put x --reviewer alice
head -n 3 alice.sshsig >x && put x --reviewer alice
: >x && put x --reviewer alice
ssh-keygen -q -Y sign -n ptxseal-manifest -f eve <b/checksums/SHA256SUMS >x && put x --reviewer alice
diff -r before b

echo "-- of the two ECDSA signatures a bundle keeps one, whichever ssh-keygen made"
for i in 1 2 3 4 5 6 7 8; do
	review bob
	quiet sign --ssh bob.sshsig --reviewer bob b
	quiet seal --role root --key root.key b
	quiet verify b
done

echo "-- revoked, and no reviewer"
quiet trust --revoke bob --reason 'left the project' b
failing "$PTXSEAL" seal --role root --key root.key b | hide
put bob.sshsig --reviewer bob
rm b/manifests/countersignatures/bob.sshsig
rmdir b/manifests/countersignatures
sed -i 's/"roles":\["review"\]/"roles":["root"]/' b/manifests/trust.json
quiet seal --role root --key root.key b
review alice
put alice.sshsig --reviewer alice
