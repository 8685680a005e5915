# R-SUM-001 to R-SUM-009: each way to break a line. The list's own signatures break with it.
. "$REPO/tests/cli/verify/common"
sealed
cp b/checksums/SHA256SUMS good
last=$(tail -n 1 good)
try() {
	printf -- '-- %s\n' "$1"
	cat >b/checksums/SHA256SUMS
	check | grep -v -e R-STM-004 -e R-SIG-006 || [ $? -eq 1 ]
}
sed '1s/^[0-9a-f]*/\U&/' good | try "uppercase"
sed '1s/  .*//' good | try "no name"
sed '1s/  / */' good | try "binary mode"
sed '1s/^/\\/' good | try "needless escape"
sed 's/$/\r/' good | try "CR LF"
printf %s "$(cat good)" | try "no last line end"
sed '1{h;d};2G' good | try "unsorted"
{ cat good; printf '%s\n' "$last"; } | try "twice"
: | try "empty"
{ cat good; printf '%s\n' "${last%%  *}  ../../etc/hosts"; } | try "escaping path"
{ cat good; printf '%s\n' "${last%%  *}  zzz/README.md"; } | try "outside the seal"
