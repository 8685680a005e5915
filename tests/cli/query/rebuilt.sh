# R-QRY-005, R-QRY-009: the kernels of a run's frozen replies are extracted, compiled and looked at again, and set beside what was recorded of them.
. "$REPO/tests/cli/query/common"
query talk r --trajectories 3 >/dev/null
server_gone
rebuild() { "$PTXSEAL" rebuild "$@" b | sed -E 's/[0-9a-f]{64}/HEX/g; s/ptxas [0-9.]+/ptxas V/g' || echo "exit $?"; }
rebuild
cp -r b kept
record=b/artifact/runs/r/evaluations.jsonl
try() {
	echo "-- $1"
	rebuild --run r
	rm -r b
	cp -r kept b
}
sed -i '/"trajectory":2,/s/"cubin":"......../"cubin":"00000000/' $record
try 'another cubin'
sed -i '/"trajectory":2,/s/"cubin":"......../"cubin":"00000000/; /"trajectory":2,/s/"ptxas":"[0-9]*/"ptxas":"1/' $record
try 'another cubin, by another ptxas'
sed -i '/"trajectory":2,/s/"text":"UTMASTG/"text":"UTMALDG/' $record
try 'other instructions'
sed -i '/"trajectory":0,"turn":1/s/R-TLC-003/R-TLC-005/' $record
try 'another rule'
sed -i '/"trajectory":0,"turn":1/s/"compile_error"/"unknown"/; /"trajectory":0,"turn":1/s/"evidence":"unknown"/"evidence":"static"/' $record
try 'what does not compile did'
sed -i '/"trajectory":0,"turn":0/s/there is no fenced block/there is none/' $record
try 'another reason'
sed -i '/"trajectory":2,/s/\("path":"kernel.ptx","sha256":"\)......../\100000000/' $record
try 'another kernel'
echo '-- nothing compiled, so there is no candidate'
rm -r b/artifact/candidates
rebuild | sed 's/[0-9]* of [0-9]* turns/N turns/; s/^[0-9]* same/N same/; s/[0-9]* compiled/N compiled/'
rebuild --candidate x 2>&1 | sed 's/ (R-.*//'
rm -r b
mkdir -p b/artifact
rebuild 2>&1 | sed 's/ (R-.*//'
rm -r b
cp -r kept b
for files in run.json 'run.json query.json'; do
	(cd b/artifact/runs/r && sed -i 's/"workload":"[^"]*"/"workload":"none"/' $files)
	"$PTXSEAL" rebuild --run r b >out 2>err || echo "another workload in $files: exit $?: $(grep -o 'R-[A-Z]*-[0-9]*' err)"
	cp -r kept/artifact/runs/r b/artifact/runs/
done
"$PTXSEAL" rebuild --run none b 2>err || grep -o 'R-EXC-008' err
"$PTXSEAL" rebuild --run r --json b | grep -o '"rebuilt":"[a-z]*"' | sort | uniq -c
echo '-- without tools that work what was extracted is compared, and that nothing was compiled is no success'
mkdir -p broken/bin
printf '#!/bin/sh\nexit 1\n' >broken/bin/ptxas
chmod +x broken/bin/ptxas
CUDA_HOME=$PWD/broken rebuild --run r | sed 's/not compiled: .*/not compiled: WHY/'
CUDA_HOME=$PWD/broken rebuild --run r --json | grep -o '"not_compiled"\|exit [0-9]'
