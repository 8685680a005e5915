# explain --sql: a reader's own query, aligned, as CSV and as JSON.
. "$REPO/tests/cli/derive/bundle.inc"
query='SELECT outcome, count(*) AS n, max(speedup) AS best FROM turn GROUP BY outcome ORDER BY outcome'
"$PTXSEAL" explain --sql "$query" bundle && "$PTXSEAL" explain --sql "$query" --csv bundle && "$PTXSEAL" explain --json --sql "$query" bundle
