# Findings for machines: rule, file, what, remedy, and counts by rule.
. "$REPO/tests/cli/verify/common"
sealed
printf '{"turn":2}\n' >b/artifact/runs/second/turns.jsonl
echo more >b/artifact/more
check --json
