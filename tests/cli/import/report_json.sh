# The report for machines.
. "$REPO/tests/cli/import/source.inc"
import --json
