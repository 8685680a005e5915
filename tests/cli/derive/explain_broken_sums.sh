# explain: a broken line of SHA256SUMS is verify's to report; the others still answer, and a list without a sound line too.
. "$REPO/tests/cli/derive/sealed.inc"
hash=$(sha256sum <bundle/artifact/runs/one/turns.jsonl | cut -c 1-64)
for broken in x $'\r' "$hash" "\\$hash  a" "$hash  ../a" "$hash  artifact/runs/one/turns.jsonl"; do
	cp bundle/checksums/SHA256SUMS sums
	echo "$broken" >>bundle/checksums/SHA256SUMS
	"$PTXSEAL" explain correct one/4 correct bundle >report
	grep -q "^  $hash  artifact/runs/one/turns.jsonl\$" report
	cp sums bundle/checksums/SHA256SUMS
done
for text in '' x; do
	printf %s "$text" >bundle/checksums/SHA256SUMS
	"$PTXSEAL" explain correct one/4 correct bundle >report
done
