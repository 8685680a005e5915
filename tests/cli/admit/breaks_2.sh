# R-SUB, R-ADM: every way to break a submission is told by its rules, by these alone, and the counts add up; part 2 of 4.
. "$REPO/tests/cli/admit/common"
lab_working $gemm
archive
"$python" "$REPO/tests/cli/admit/breaks.py" "$PTXSEAL" "$REPO" 1/4
