# Killed at any moment, a seal leaves a bundle that verifies or says exactly what is unfinished.
. "$REPO/tests/cli/verify/common"
sealed
echo more >b/tasks/more
mv b before
for n in $(seq -w 1 40); do
	cp -R before b
	"$PTXSEAL" seal --role root --key root.key b >seal.out 2>&1 &
	sleep 0.0$n
	kill -KILL $! 2>kill.out || true
	wait $! 2>kill.out || true
	if ! "$PTXSEAL" verify b >out; then
		# Before its first write is done there is nothing to say but of the new file, and of that write.
		grep -q '^checksums/unfinished: .*R-BND-008' out ||
			[ "$(grep -c -v '^tasks/more: .*R-BND-002\|^checksums/[.]ptxseal.*R-BND-011\|^NOT' out)" -eq 0 ]
		rm -f b/*/.ptxseal-*.tmp b/*/*/.ptxseal-*.tmp
		"$PTXSEAL" seal --role root --key root.key b >seal.out
	fi
	"$PTXSEAL" verify b >out
	rm -r b
done
