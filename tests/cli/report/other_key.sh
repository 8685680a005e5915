# A report for a reader who names another key than the one that sealed: it does not hold, whatever else does.
. "$REPO/tests/cli/derive/sealed.inc"
"$PTXSEAL" keygen --out other.key --public other.pub >/dev/null
"$PTXSEAL" report --output out --key other.pub bundle
code=$?
sed 's/<[^>]*>/ /g' out/report.html | grep -E 'DOES NOT HOLD|fingerprint' | hide
"$PTXSEAL" report --output out --key root.pub bundle
grep -c 'Sealed by the key that the reader named' out/report.html
exit $code
