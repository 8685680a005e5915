# A bundle without a figure's table, one of its columns or any of its rows has no such picture, and the report says why; the other pictures are there.
command -v gnuplot >/dev/null || { echo 'no gnuplot'; exit 77; }
cp -R "$REPO/artifact" "$REPO/tasks" .
rm artifact/tables/fast_p.sql
sed -i '/^-- column: trained/s/trained/learned/; s/ AS trained,/ AS learned,/; s/^-- lineage: trained/-- lineage: learned/' artifact/tables/figure2.sql
sed -i 's/^ORDER BY arch, task, date, model;$/WHERE 0 &/' artifact/tables/release.sql
"$PTXSEAL" report --output out . >/dev/null
echo "exit $?"
echo out/figures/*
grep -o 'No picture here: [^<]*' out/report.html
