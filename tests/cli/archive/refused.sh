# R-BND-003, R-PCK-009, R-BND-012, R-IO-*: what cannot be packed or unpacked leaves everything as it was.
. "$REPO/tests/cli/archive/common"
sealed
"$PTXSEAL" pack --output good.tar.zst b >said
cp good.tar.zst before
try() {
	printf -- '-- %s\n' "$*"
	"$PTXSEAL" "$@" 2>&1 | hide | sed 's/[0-9]* bytes/N bytes/' || echo "exit ${PIPESTATUS[0]}"
}
mkdir there
: >file
try unpack good.tar.zst there
try unpack good.tar.zst file
try unpack good.tar.zst .
try unpack good.tar.zst missing/new
try unpack good.tar.zst b/artifact/new
try unpack missing.tar.zst new
try unpack b new
try unpack /dev/null new
try pack --output b/artifact/out.tar.zst b
try pack --output missing/out.tar.zst b
try pack --output there b
try pack --output out.tar.zst missing
echo '{"turn":2}' >b/artifact/runs/second/turns.jsonl
ln -s /etc/passwd b/artifact/link
try pack --output good.tar.zst b
rm b/artifact/link
try pack --output good.tar.zst b
rm -r b/checksums
try pack --output good.tar.zst b
cmp good.tar.zst before
[ -z "$(ls -A there)" ]
! ls -A . b b/artifact | grep -e draft -e new -e tmp
echo "nothing changed"
