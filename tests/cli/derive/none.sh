# R-BND-013: a directory that is no bundle, the top of an unpacked bag among them, is refused before anything is written or removed.
. "$REPO/tests/cli/derive/bundle.inc"
"$PTXSEAL" derive --out out bundle >/dev/null
mkdir empty bag
mv bundle bag/data
printf 'BagIt-Version: 1.0\n' >bag/bagit.txt
for command in 'derive --out out empty' 'derive --out out bag' 'claims empty' 'evaluate --out out bag' 'evaluate --out out empty' 'verify bag' \
	'export flashinfer-trace x empty' 'export flashinfer-trace x bag' 'export repairs --output x empty'; do
	"$PTXSEAL" $command 2>&1
	echo "exit code $?"
done
rm -r bag/data/artifact/tables
"$PTXSEAL" derive --out out bag/data 2>&1 # R-CMP-007
echo "exit code $?"
ls out
[ ! -e x ]
