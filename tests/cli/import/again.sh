# The committed records are, to the byte, what an import of the published data makes.
data=$PTXSEAL_SHARED/ptxbench
[ -d "$data/data" ] || { echo "the published data is not in $PTXSEAL_SHARED/ptxbench/data"; exit 77; }
"$PTXSEAL" import ptxbench "$data/data" --figures "$data/figures.json" --into bundle >report || exit 1
mkdir -p committed/artifact/expected committed/artifact/facts committed/artifact/sources
cp -r "$REPO/artifact/runs" committed/artifact/runs
grep -l '"source":"ptxseal"' committed/artifact/runs/*/run.json | xargs -r dirname | xargs -r rm -r # measured, not imported
cp -r "$REPO/artifact/sources/ptxbench" committed/artifact/sources/ptxbench
cp -r "$REPO/artifact/expected/ptxbench" committed/artifact/expected/ptxbench
cp "$REPO/artifact/facts/release_dates.jsonl" committed/artifact/facts/
diff -r committed bundle
