# R-PCK-010, R-PCK-011: what a level leaves out is listed, not missing; everything else is verified, and a level cannot be widened.
. "$REPO/tests/cli/archive/common"
content
mkdir -p b/artifact/candidates/gemm/plain b/artifact/replays
echo kernel >b/artifact/candidates/gemm/plain/kernel.ptx
echo more >b/artifact/candidates/gemm/plain/candidate.json
rmdir b/artifact/replays
keys
"$PTXSEAL" seal --role import --key import.key b >seal.out
"$PTXSEAL" seal --role root --key root.key b >seal.out
again() { # TITLE
	printf -- '-- %s\n' "$1"
	"$PTXSEAL" verify f/data | hide || true
}
for level in figures kernels full; do "$PTXSEAL" pack --level $level --output $level.tar.zst b | sed 's/, [0-9.]* .* of/ in/' | hide; done
cmp kernels.tar.zst full.tar.zst && echo "nothing between kernels and full here"
"$PTXSEAL" verify figures.tar.zst | hide
"$PTXSEAL" verify --json figures.tar.zst | grep -o '"left_out":[^"]*"level":"[a-z]*"'
"$PTXSEAL" unpack figures.tar.zst f >said
hide <f/data/checksums/left-out.txt
(cd f/data && sha256sum --quiet --ignore-missing -c checksums/SHA256SUMS) && echo "sha256sum agrees"
"$PTXSEAL" pack --level figures --output again.tar.zst f/data >said && cmp again.tar.zst figures.tar.zst
"$PTXSEAL" pack --output wider.tar.zst f/data || echo "exit $?"
cp -r f whole
echo x >>f/data/tasks/gemm/task.json && again "a byte more in what is there"
rm -r f && cp -r whole f && rm f/data/tasks/gemm/task.json && again "a file missing that no level leaves out"
rm -r f && cp -r whole f && sed -i 2d f/data/checksums/left-out.txt && again "one line less"
rm -r f && cp -r whole f && sed -i 's/figures/kernels/' f/data/checksums/left-out.txt && again "another level"
rm -r f && cp -r whole f && grep tasks f/data/checksums/SHA256SUMS >>f/data/checksums/left-out.txt && again "another file"
rm -r f && cp -r whole f && rm f/data/checksums/left-out.txt && again "no list"
rm -r f && cp -r whole f && cp -r b/artifact/candidates f/data/artifact && again "what is left out is there"
rm -r f && cp -r whole f && mkdir -p f/data/artifact/candidates/gemm/plain && echo other >f/data/artifact/candidates/gemm/plain/kernel.ptx && again "something else is there"
