# R-BND-005: two files that hold each other's bytes.
. "$REPO/tests/cli/verify/common"
sealed
mv b/artifact/runs/first/turns.jsonl turns
mv b/artifact/runs/second/turns.jsonl b/artifact/runs/first/turns.jsonl
mv turns b/artifact/runs/second/turns.jsonl
check
