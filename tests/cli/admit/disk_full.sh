# R-IO-003: where a file cannot be written, the archive stands as it was; with room again it is admitted.
. "$REPO/tests/cli/admit/common"
submission $gemm
archive
find a -type f | sort | xargs sha256sum >before
for blocks in 1 4 16 40; do
	(ulimit -f $blocks; "$PTXSEAL" admit --key log.key --into a s >out 2>err) && echo "admitted with $blocks blocks" || true
	grep -q R-IO-003 err || { cat out err; echo "$blocks: no R-IO-003"; }
	find a -type f | sort | xargs sha256sum | cmp - before
done
[ -z "$(find a -name '.ptxseal-*')" ] || echo "something is left"
"$PTXSEAL" admit --key log.key --into a s | tail -n 2 | head -n 1
