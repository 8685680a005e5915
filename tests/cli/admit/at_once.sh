# Two admissions at once: one is admitted, the other finds it known (R-ADM-001).
. "$REPO/tests/cli/admit/common"
submission $gemm
archive
for _ in 1 2; do
	"$PTXSEAL" admit --key log.key --into a s >"out.$_" 2>&1 &
done
wait
cat out.1 out.2 | grep -o 'findings: admitted\|R-ADM-001' | sort
seal_archive
"$PTXSEAL" verify a >out && "$PTXSEAL" log audit a | grep -o '[0-9]* entr[a-z]*'
