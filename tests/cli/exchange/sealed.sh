# Others' runs are sealed with their source: its import manifest vouches for runs, provenance and the objects that turns name.
. "$REPO/tests/cli/exchange/common"
command -v openssl >/dev/null || { echo "openssl is not installed"; exit 77; }
bundle
trajectories
data_set
"$PTXSEAL" import trajectories runs --source agents --into b | head -n 1
"$PTXSEAL" import flashinfer-trace set --source lab --into b | head -n 1
for role in import root; do
	"$PTXSEAL" keygen --out $role.key --public $role.pub >out
	"$PTXSEAL" seal --role $role --key $role.key b >out
done
"$PTXSEAL" verify b | sed -n '1s/, [0-9.]* KiB.*//p'
subjects() {
	sed 's/.*"payload":"\([^"]*\)".*/\1/' "b/manifests/$1.dsse.json" | base64 -d | grep -o '"name":"[^"]*"' | sed 's/"name":"//; s/"//; s/[0-9a-f]\{64\}/HEX/; s/256\/../256\/XX/' | sort | uniq -c
}
subjects agents
subjects lab
echo x >>b/artifact/sources/lab/solutions.jsonl
"$PTXSEAL" verify b | sed 's/[0-9a-f]\{64\}/HEX/g; s/, [0-9.]* KiB.*//'
