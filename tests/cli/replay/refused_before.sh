# R-BND-005, R-KEY-008, R-IO-003, R-RPL-005: a key's name that cannot be given, a place that cannot be written and records left of another run are found before anything is measured.
. "$REPO/tests/cli/replay/common"
tiny_task
candidate right gemm_right
"$PTXSEAL" keygen --out one.pem --public one.pub >keygen.out
"$PTXSEAL" keygen --out two.pem --public two.pub >keygen.out
try() {
	local code=0

	"$PTXSEAL" replay --workload small --trials 8 --seconds 0 --no-evidence --memcheck off --brief "$@" b >out 2>err || code=$?
	cut -d ' ' -f 1,2 out
	sed -E 's/ \((R-[A-Z]+-[0-9]+):.*/ (\1)/; s/[0-9a-f]{64}/HEX/g' err
	echo "exit $code"
}
try --into b --run r --key one.pem --name 'no/name'
try --into b --run r --key one.pem --name mine
try --into b --run s --key two.pem --name mine
try --into b --run s --key one.pem --name other
mkdir -p b/artifact/replays/t-$task
echo '{}' >b/artifact/replays/t-$task/right.json
try --into b --run t
rm -r b/artifact/replays/t-$task
mkdir -p b/artifact/replays/u-$task # a killed replay left that
try --into b --run u
echo >file
try --into file/x --run v
echo >b/artifact/replays-file
mkdir c
echo >c/artifact
try --into c --run v
