# A submission that a reviewer has countersigned with an SSH key is admitted with that, packed or not; in the archive it is held to it: R-CSG, R-BND of the submission where it was changed,
# added or taken away.
. "$REPO/tests/cli/admit/common"
command -v ssh-keygen >/dev/null || { echo "ssh-keygen is not installed"; exit 77; }
submission $gemm
lab_seals() {
	"$PTXSEAL" seal --role root --key lab.key --name submitter s >seal.out || true
}
for name in alice bob carol; do
	ssh-keygen -q -N '' -C $name -f $name -t ed25519
	"$PTXSEAL" trust --add $name.pub --name $name --role review s >out
done
"$PTXSEAL" trust --threshold review=1 s >out
lab_seals
archive
"$PTXSEAL" admit --check --into a s >out && echo "admitted without its review" || grep -o 'R-SIG-[0-9]*' out
for name in alice carol; do
	ssh-keygen -q -Y sign -n ptxseal-manifest -f $name <s/checksums/SHA256SUMS >$name.sshsig
done
ssh-keygen -q -Y sign -n ptxseal-manifest -f bob <s/manifests/lab-$gemm.dsse.json >bob.sshsig
"$PTXSEAL" sign --ssh alice.sshsig --reviewer alice s
"$PTXSEAL" sign --ssh bob.sshsig --reviewer bob --manifest lab-$gemm s
lab_seals
"$PTXSEAL" pack --output s.tar.zst s >out
"$PTXSEAL" admit --check --into a s | tail -n 1
"$PTXSEAL" admit --key log.key --into a s.tar.zst | tail -n 2
seal_archive
"$PTXSEAL" verify a | hide | head -n 1 | sed -E "s/[0-9]+ files, [0-9.]+ MiB/N files/"
id=$(ls a/manifests/submissions)
own=manifests/submissions/$id/manifests/countersignatures
cmp s/manifests/countersignatures/alice.sshsig a/$own/alice.sshsig
cmp s/manifests/countersignatures/lab-$gemm/bob.sshsig a/$own/lab-$gemm/bob.sshsig
cmp s/checksums/SHA256SUMS a/manifests/submissions/$id/checksums/SHA256SUMS
mv a good
try() { # NAME COMMAND
	rm -rf a
	cp -r good a
	eval "$2"
	find a -type d -empty -delete
	"$PTXSEAL" seal --role root --key archive.key a >seal.out || true
	"$PTXSEAL" verify --json a >verify.out || true
	echo "$1: $(grep -o '"rule":"[^"]*"' verify.out | cut -d '"' -f 4 | sort -u | tr '\n' ' ')"
}
try "as it was" true
try "that of a manifest taken away" 'rm a/$own/lab-$gemm/bob.sshsig'
try "taken away" 'rm a/$own/alice.sshsig'
try "a byte changed" 'sed -i "3s/^./A/" a/$own/alice.sshsig'
try "of another reviewer, which the submitter had not sealed" 'cp carol.sshsig a/$own/carol.sshsig'
try "under another name" 'mv a/$own/alice.sshsig a/$own/carol.sshsig'
try "something else beside it" 'echo x >a/$own/notes'
