# The reviewer's command from end to end: a checkout without a build, in a path with a space, called from elsewhere,
# in a foreign locale, with build variables set. It builds once, says the same twice, builds anew what was changed, and
# fails when a byte of the bundle did. (Sealed by keys of its own, so that it does not depend on who sealed ours.)
mkdir 'a checkout'
tar -C "$REPO" --exclude=./build --exclude=./dist --exclude=./.git --exclude=./checksums -cf - . |
	tar -C 'a checkout' -xf -
for role in import root; do
	"$PTXSEAL" keygen --out $role.key --public $role.pub >log || exit 1
	"$PTXSEAL" seal --role $role --name $role --replace --key $role.key 'a checkout' >log || exit 1
done
export LOCPATH=$REPO/build/locale CDPATH=/ MAKEFLAGS=-n TZ=Asia/Kathmandu
{ export LC_ALL=de_DE.UTF-8; } 2>/dev/null # bash complains where it is not installed
ae() {
	'a checkout/scripts/ae' >"$1" 2>"$1.said"
	echo "$1: exit code $?, $(grep -c 'building build/ptxseal' "$1.said") builds, $(sed -nE 's|^(Verdict: [A-Z ]*[A-Z]).*|\1|p' "$1")"
}
ae first
ae second
cmp first second
find 'a checkout' -newer first -type f ! -path '*/build/derived/*' # nothing was set up or built again

sleep 1 && echo '/* changed */' >>'a checkout/runner/main.c'
ae third
cmp first third

# One digit of one turn: the seal is broken, whatever the tables make of it.
turns=$(find 'a checkout/artifact/runs' -name turns.jsonl | sort | head -n 1)
sed -i '1s/"turn":0/"turn":1/' "$turns"
ae fourth
grep -c -F "${turns#a checkout/}: " fourth
