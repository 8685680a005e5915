# R-RPL-010: two replays agree, or the member that differs is named, and the facts that are not the same.
. "$REPO/tests/cli/replay/common"
tiny_task
candidate right gemm_right
candidate wrong gemm_wrong
replay one --no-evidence >out || [ $? -eq 1 ]
cp -r b/artifact/replays/one-$task two
cd b
compare() {
	local code=0

	"$PTXSEAL" compare "$@" >../out || code=$?
	sed -E 's/[0-9a-f]{64}/HEX/g' ../out
	[ $code -eq 0 ] || echo "exit $code"
}
compare "one-$task" ../two
sed -i 's/"median":"0.80[0-9]*"/"median":"0.807"/; s/"driver_version":"unknown"/"driver_version":"999.1"/' ../two/right.json
compare "one-$task" ../two/right.json
sed -i 's/"median":"0.807"/"median":"0.809"/' ../two/right.json
compare "artifact/replays/one-$task/right.json" ../two/right.json
rm ../two/wrong.json
compare "artifact/replays/one-$task" ../two | tail -n 2
mkdir ../none
compare ../two ../none
echo '{}' >../none/x.json
compare ../two ../none
