# A bundle that is not the one signed has a report that says so first, vouches for nothing, and names the file; exit code 1.
. "$REPO/tests/cli/derive/sealed.inc"
sed -i '3s/"speedup":"0.5"/"speedup":"0.6"/' bundle/artifact/runs/one/turns.jsonl
"$PTXSEAL" report --output out bundle
code=$?
text() { sed '/<script>/,$d; s/<script.*//; s/<[^>]*>/ /g' out/report.html | tr -s ' '; }
text | grep -E 'DOES NOT HOLD|NOT AS SEALED|nobody:|SHA-256 is|none of these keys' | hide
grep -cE 'sealed this bundle|Sealed by|<a href=#m[0-9]*>manifests/[a-z]*.dsse.json</a>$' out/report.html
exit $code
