# R-TAB-006: a query without end.
. "$REPO/tests/cli/derive/bundle.inc"
sed -i 's/^SELECT r.run, l.turn_limit,/WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x)\nSELECT (SELECT count(n) FROM x) || r.run AS run, l.turn_limit,/' bundle/artifact/tables/correct.sql
"$PTXSEAL" derive --check bundle
