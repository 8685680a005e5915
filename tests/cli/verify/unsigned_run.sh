# R-BND-007: runs and sources that no import manifest vouches for.
. "$REPO/tests/cli/verify/common"
sealed
mkdir b/artifact/runs/third b/artifact/runs/fourth b/artifact/runs/fifth b/artifact/sources/other
printf '{"run":"third","source":"demo"}\n' >b/artifact/runs/third/run.json
printf '{"run":"fourth","source":"nowhere"}\n' >b/artifact/runs/fourth/run.json
printf '{"turn":1}\n' >b/artifact/runs/fifth/turns.jsonl
printf '{}\n' >b/artifact/sources/other/source.json
reseal
check
