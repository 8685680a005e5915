# R-PTH-001, R-IO-001: a directory that cannot be listed is one finding; what is beneath it is not called missing, and all else is
# looked at as ever.
. "$REPO/tests/cli/verify/common"
sealed
cp -r b good
each() { # TITLE
	printf -- '-- %s\n' "$1"
	"$PTXSEAL" verify b | hide | sed -E 's,(/d)+:,/d...:,' || true
}
again() {
	chmod -R u+rwx b
	rm -r b
	cp -r good b
}
deep=b/artifact/runs/second$(printf '/d%.0s' {1..70})
mkdir -p "$deep"
echo x >"$deep/file"
echo x >>b/tasks/gemm/task.json
each "nested too deep"
again
if [ "$(id -u)" -eq 0 ]; then
	command -v setpriv >/dev/null || { echo "setpriv is not there, and root may read everything"; exit 77; }
	chmod 755 . && chown -R 65534 b good
	as() { setpriv --reuid 65534 --clear-groups --inh-caps=-all --bounding-set=-all "$@"; }
else
	as() { "$@"; }
fi
for dir in artifact artifact/sources artifact/sources/demo artifact/runs artifact/runs/first manifests manifests/keys checksums tasks; do
	for mode in 000 444; do
		again
		[ "$(id -u)" -ne 0 ] || chown -R 65534 b
		chmod $mode b/$dir
		printf -- '-- %s %s\n' $mode $dir
		as "$PTXSEAL" verify b | hide || true
	done
done
again
