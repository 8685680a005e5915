# R-IO-003: what cannot be written is named with its directory. Until the last file stands, the list names the old files and the
# new ones, so that a run that was cut short leaves none that the next run does not know as its own.
. "$REPO/tests/cli/derive/bundle.inc"
"$PTXSEAL" derive --out out bundle >/dev/null
mv bundle/artifact/tables/correct.sql bundle/artifact/tables/other.sql
rm -r bundle/artifact/expected
mkdir out/other.md
for out in out out/ ./out; do
	"$PTXSEAL" derive --out $out bundle || echo "exit code $?"
done
cat out/DERIVED
rmdir out/other.md
"$PTXSEAL" derive --out out bundle
(cd out && ls && cat DERIVED)
