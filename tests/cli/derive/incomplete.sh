# R-CMP-005 to 007: what is taken out of the ledger or the published cells shows, also where no comparison is left that could differ.
. "$REPO/tests/cli/derive/bundle.inc"
cd bundle/artifact
printf '%s\n' '{"cells":{"best":"0.5","rate":"0.500"},"row":"one/4"}' '{"cells":{"best":"none","rate":"0.000"},"row":"one/1"}' >expected/made/correct.jsonl
rm expected/known.jsonl
counted='{"runs":1,"tables":[{"columns":["best","rate"],"rows":2,"table":"correct"}],"trajectories":2,"turn_lines":{"first":2,"last":5},"turns":4}'
printf '%s\n' "$counted" >sources/made/source.json
cd ../..
cp -r bundle whole
check() { # what was done to it
	echo "== $1"
	"$PTXSEAL" derive --check bundle 2>&1 | sed -n '/listed but gone/d; s/ (R-CMP-00[1-4].*//p; s/ (\(R-[A-Z]*-[0-9]*\).*/ (\1)/p'
	echo "exit code ${PIPESTATUS[0]}"
	rm -r bundle && cp -r whole bundle
}
check 'nothing'
sed -i '3d' bundle/artifact/runs/one/turns.jsonl
check 'the last turn of a trajectory is gone'
sed -i '3d' bundle/artifact/runs/one/turns.jsonl
sed -i 's/"turns":4/"turns":3/' bundle/artifact/sources/made/source.json
check 'and is not counted either'
sed -i 's/"source_line":4/"source_line":3/' bundle/artifact/runs/one/turns.jsonl
check 'two turns from one line'
sed -i 's/"source_line":5/"source_line":6/' bundle/artifact/runs/one/turns.jsonl
check 'a turn from a line that is not there'
sed -i 's/"source_line":5/"source_line":null/' bundle/artifact/runs/one/turns.jsonl
check 'a turn from no line'
sed -i '/"trajectory":1/d' bundle/artifact/runs/one/turns.jsonl
check 'a trajectory is gone'
rm -r bundle/artifact/runs/one
check 'the run is gone'
sed -i 1d bundle/artifact/expected/made/correct.jsonl
check 'a published row is gone'
sed -i 's/"best":"0.5",//' bundle/artifact/expected/made/correct.jsonl
check 'a published cell is gone'
sed -i 's/"rate":"0.500"/"correct":"1"/' bundle/artifact/expected/made/correct.jsonl
check 'a published cell is another'
sed -i 's/"cells":{[^}]*}/"cells":{}/' bundle/artifact/expected/made/correct.jsonl
check 'the published rows are empty'
rm -r bundle/artifact/expected
check 'the published cells are gone'
rm -r bundle/artifact/expected bundle/artifact/tables
check 'and the tables too'
rm -r bundle/artifact/claims
check 'the claims are gone'
sed -i 's/"table":"correct"/"table":"wrong"/' bundle/artifact/sources/made/source.json
check 'another table is counted'
rm -r bundle/artifact/sources
check 'a source that counts nothing is held to nothing'
printf '{"turns":"4"}\n' >bundle/artifact/sources/made/source.json
check 'a count that is none'
printf '{"tables":[{"columns":[],"rows":1,"table":"correct"}]}\n' >bundle/artifact/sources/made/source.json
check 'a table without columns'
