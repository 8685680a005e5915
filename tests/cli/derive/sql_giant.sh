# R-TAB-007: a result of more than 256 MiB.
. "$REPO/tests/cli/derive/bundle.inc"
sed -i '/^SELECT r.run/,$d; s/ counts trajectories//' bundle/artifact/tables/correct.sql
cat >>bundle/artifact/tables/correct.sql <<'SQL'
WITH RECURSIVE big(t, k) AS (SELECT 'ab', 1 UNION ALL SELECT t || t, k + 1 FROM big WHERE k < 10),
n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 300000)
SELECT n || t AS run, n AS turn_limit, 1 AS correct, 1 AS rate, 1 AS best FROM n CROSS JOIN big WHERE k = 10;
SQL
"$PTXSEAL" derive --check bundle
