# R-BND-012: neither tables nor an import are written into the sealed directories of a bundle, by whatever way one gets there.
. "$REPO/tests/cli/derive/bundle.inc"
mkdir bundle/tasks
ln -s bundle/artifact link
touch before
find . | LC_ALL=C sort >before
refused() {
	local code=0

	"$PTXSEAL" "$@" || code=$?
	[ $code -eq 2 ] || echo "exit code $code: $*"
}
for out in bundle/artifact bundle/artifact/runs bundle/tasks/ bundle/artifact/new/deep bundle/manifests bundle/new/../checksums/x \
	link link/runs "$PWD/bundle/artifact/tables"; do
	refused derive --out "$out" bundle 2>&1 | sed "s,$PWD,HERE,"
done
refused evaluate --out bundle/artifact/runs bundle
(cd bundle && refused derive --out artifact)
(cd bundle/artifact/runs && refused derive --out . ../../..)
refused import ptxbench source --into bundle/artifact/runs
find . | LC_ALL=C sort | diff before -
# Beside them they may stand, and in a directory called so that is no bundle's.
"$PTXSEAL" derive --out bundle/build bundle >/dev/null
"$PTXSEAL" derive --out tasks/artifact bundle >/dev/null
"$PTXSEAL" derive --out tasks/out bundle >/dev/null
