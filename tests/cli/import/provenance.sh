# Commit and date of another state of the source.
. "$REPO/tests/cli/import/source.inc"
import --commit 0123456789abcdef --date 2026-09-01 >/dev/null || exit 1
grep -o '"commit":"[^"]*","date":"[^"]*"' bundle/artifact/sources/ptxbench/source.json
import --commit 0123456789abcdef >/dev/null || exit 1
grep -o '"commit":"[^"]*","date":[a-z]*' bundle/artifact/sources/ptxbench/source.json
