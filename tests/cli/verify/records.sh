# A run.json that is not JSON, or does not say its source, is a finding of its own rule.
. "$REPO/tests/cli/verify/common"
sealed
printf '{"source":"demo","source":"x"}\n' >b/artifact/runs/first/run.json
printf '{"run":"second"}\n' >b/artifact/runs/second/run.json
reseal
check
