# The command line, and names that are not there. What would be refused at the end is refused before anything is measured.
. "$REPO/tests/cli/replay/common"
tiny_task
candidate right gemm_right
try() {
	local code=0

	"$PTXSEAL" replay "$@" >out 2>&1 || code=$?
	grep -v -e '^usage' -e '^  *\[' -e '^See' out
	echo "exit $code"
}
try --nonsense
try --trials 0
try --trials 2
try --trials many
try --seconds -1
try --seconds nan
try --seconds
try --memcheck maybe
try --name mine b
try b c
try --candidate nobody b
try --task no_such_task b
try --candidate ../elsewhere/x b
try --workload tiny --candidate right b
try --run 'a b' --candidate right b
replay r --no-evidence >out
replay r --no-evidence
