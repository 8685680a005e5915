# That computation finds a wrong mean, median, bound and choice of runs in columns that nobody published.
mkdir bundle
cp -r "$REPO/artifact" "$REPO/tasks" bundle
cd bundle/artifact/tables
sed -i 's,/ (c.turns - c.unknown) AS mean,/ (c.turns + 1) AS mean,; s/median(t.reasoning_tokens) AS median/1.0 * min(t.reasoning_tokens) AS median/' reasoning.sql
sed -i 's/wilson_high(fast, turns) AS wilson_high/wilson_high(fast_target, turns) AS wilson_high/' fast_p.sql
sed -i 's/ AND (r.checklist <> .nopatched. OR NOT has_other)//' sft_series.sql
cd ../../..
"$PTXSEAL" derive --out derived bundle >report || exit 2
python3 "$REPO/tests/judges/check_tables.py" bundle derived >faults && exit 3
sed 's,^FAIL \([a-z_]*\) .* \([a-z_]*\): derived.*,\1 \2,; s,^FAIL \([a-z_]*\) .*: the row is.*,\1 row,' faults | sort | uniq -c | awk '{print $2, $3}'
