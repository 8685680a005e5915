# R-SUB-052: an endpoint that answers the same to the same request, and names no reply, is asked twice. That is no copy (R-SUB-029): it is told, and not refused, in one submission and against the archive. With another seed
# there is nothing to tell.
. "$REPO/tests/cli/query/common"
. "$REPO/tests/cli/admit/asking"
query talk first --trajectories 2 --name lab >/dev/null
cp -r b apart
query talk again --trajectories 2 --name lab >/dev/null
query talk other --trajectories 2 --seed 100 --name lab >/dev/null
archive
try() { # SUBMISSION
	"$PTXSEAL" admit --check --into a "$1" >out || echo "exit $?"
	grep -c 'R-SUB-029' out || true
	hide <out | grep 'R-SUB-052' || true
}
facts | sed 's/"seed": "0"/"seed": "0, 100"/' >facts.json
"$PTXSEAL" submit --facts facts.json --key lab.key --into s b >/dev/null
echo '-- in one submission'
try s
facts >facts.json
"$PTXSEAL" submit --facts facts.json --key lab.key --into s1 apart >/dev/null
"$PTXSEAL" admit --key log.key --into a s1 >/dev/null
seal_archive
rm -r b
cp -r apart b
rm -r b/artifact/runs b/artifact/objects b/artifact/candidates
query talk elsewhere --trajectories 2 --name lab2 >/dev/null
server_gone
facts | sed 's/"lab"/"lab2"/' >facts.json
"$PTXSEAL" submit --facts facts.json --key lab.key --into s2 b >/dev/null
echo '-- of another, in the archive'
try s2
