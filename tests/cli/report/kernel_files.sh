# What is not there is not shown, and the page says so: a file that is missing, one with other bytes than were measured, and candidates that a level leaves out.
mkdir b
for part in artifact tasks manifests checksums; do
	cp -r "$REPO/$part" b
done
at=artifact/candidates/gemm_n7168_k5120
rm "b/$at/plain/kernel.ptx" b/$at/plain/candidate.json
printf x >>"b/$at/wrong/kernel.ptx"
printf x >>"b/$at/wrong/kernel.sm_90a.cubin"
printf '{}' >"b/$at/decoy/candidate.json"
rm b/$at/decoy/kernel.sm_90a.cubin
says() { # PAGE: what it says of its files
	tr '>' '\n' <"$1" | grep -o -e '^These are not the bytes that were measured' -e '^This file [a-z ]*' -e '^The cubin cannot be read' -e '^This bundle does not verify' -e 'It cannot be believed' | sort | uniq -c
}
"$PTXSEAL" report --output d b >out 2>err || code=$?
echo "exit ${code-0}"
for name in plain wrong decoy commit-only; do
	echo "-- $name"
	says "d/kernels/gemm_n7168_k5120--$name.html"
done
rm -r b/artifact d
cp -r "$REPO/artifact" b
for role in import root; do
	"$PTXSEAL" keygen --out $role.pem --public $role.pub >log
	"$PTXSEAL" seal --role $role --name $role --replace --key $role.pem b >log
done
"$PTXSEAL" pack --level figures --output f.tar.zst b >log
"$PTXSEAL" unpack f.tar.zst f >log
"$PTXSEAL" report --output d f/data >out
echo '-- left out'
says d/kernels/gemm_n7168_k5120--plain.html
ls d/kernels | wc -l
! command -v python3 >/dev/null || python3 "$REPO/tests/cli/report/pages.py" d/kernels/*.html
