# docs/tables.md lists every table with its title and every claim with its title and expected verdict, as their heads say them.
word() { sed -n "s/^-- $1: //p" "$2"; }
for file in "$REPO"/artifact/tables/*.sql; do
	grep -qF "| \`$(basename "$file" .sql)\` | $(word title "$file") |" "$REPO/docs/tables.md" || echo "$file"
done
for file in "$REPO"/artifact/claims/*.sql; do
	grep -qF "| $(basename "$file" .sql) | $(word title "$file") | $(word expect "$file") |" "$REPO/docs/tables.md" || echo "$file"
done
