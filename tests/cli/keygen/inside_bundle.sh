# R-BND-012: not in a sealed directory, also where a link leads there; beside them it may stand.
. "$REPO/tests/cli/verify/common"
content
ln -s b/tasks/gemm link
for name in b/tasks/k b/artifact/runs/first/k link/k; do
	"$PTXSEAL" keygen --out $name --public p && exit 1
done
"$PTXSEAL" keygen --out b/k --public b/tasks/p | hide
mkdir -p elsewhere/tasks
"$PTXSEAL" keygen --out elsewhere/tasks/k --public p | hide
exit 3
