# R-IO-003: a disk that is full at any write: a clear error, the old state as it was, nothing left.
. "$REPO/tests/cli/archive/common"
many_names
head -c 3000000 /dev/urandom >b/artifact/candidates/names/random
"$PTXSEAL" seal --role root --key root.key b >seal.out
"$PTXSEAL" pack --output good.tar.zst b >said
cp good.tar.zst before
# A limit on the size of a file, as a full disk would be: the signal that comes with it is ignored, so that write fails.
trap '' XFSZ
for kib in 1 2 100 1000 2000 2900; do
	(
		ulimit -f $kib
		"$PTXSEAL" pack --output good.tar.zst b 2>&1 || echo "exit $?"
	) >said
	grep -q 'cannot write the file: File too large (R-IO-003' said && grep -q 'exit 4' said || { echo "pack, $kib KiB"; cat said; }
	cmp good.tar.zst before
done
for kib in 1 100 1000 2900; do
	(
		ulimit -f $kib
		"$PTXSEAL" unpack good.tar.zst new 2>&1 || echo "exit $?"
	) >said
	grep -q 'R-IO-003' said && grep -q 'exit 4' said || { echo "unpack, $kib KiB"; cat said; }
done
! ls -A | grep -e draft -e new
# The same on a file system that really is full, where one may be mounted.
if [ "$(id -u)" -eq 0 ] && mkdir small && mount -t tmpfs -o size=1m tmpfs small 2>/dev/null; then
	"$PTXSEAL" pack --output small/good.tar.zst b >said 2>&1 || [ $? -eq 4 ]
	grep -q 'No space left on device (R-IO-003' said || cat said
	"$PTXSEAL" unpack good.tar.zst small/new >said 2>&1 || [ $? -eq 4 ]
	grep -q 'No space left on device (R-IO-003' said || cat said
	ls -A small
	umount small
fi
