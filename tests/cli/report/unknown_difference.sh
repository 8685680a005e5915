# A difference that nobody listed, and a listed one that is gone, stand in the page; exit code 1.
. "$REPO/tests/cli/derive/sealed.inc"
sed -i 's/"rate":"0.500"/"rate":"0.750"/' bundle/artifact/expected/made/correct.jsonl
sed -i 's/"derived":"0","published":"1"/"derived":"0","published":"2"/; s/"row":"one\/1"/"row":"one\/8"/' bundle/artifact/expected/known.jsonl
seal
"$PTXSEAL" report --output out bundle
code=$?
sed 's/<wbr>//g; s/<[^>]*>/ /g' out/report.html | grep -A6 -E 'Unknown differences|are gone' | grep -E 'differences|one/' | tr -s ' '
sed 's/<[^>]*>//g' out/report.html | grep 'not as listed'
exit $code
