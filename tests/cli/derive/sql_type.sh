# R-TAB-009: text where the head says a number.
. "$REPO/tests/cli/derive/bundle.inc"
sed -i 's/max(l.best_speedup) AS best/r.model AS best/' bundle/artifact/tables/correct.sql
"$PTXSEAL" derive --check bundle
