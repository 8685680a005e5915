# R-BND-009, R-STM-005: nothing stands in artifact/, manifests/ and checksums/ that nobody looks at. The seal refuses it and writes
# nothing; verify names it where somebody sealed it all the same.
. "$REPO/tests/cli/verify/common"
sealed
mkdir -p b/artifact/{facts,tables,claims,candidates/one,replays}
for file in artifact/facts/a.jsonl artifact/tables/a.sql artifact/claims/C1.sql artifact/candidates/one/a.ptx artifact/replays/a.jsonl \
	artifact/expected/known.jsonl artifact/sources/demo/more tasks/notes; do
	echo "$file" >b/$file
done
"$PTXSEAL" seal --role import --key import.key b >seal.out
"$PTXSEAL" seal --role root --key root.key b >seal.out
check
mkdir -p b/artifact/{foo,manifests}
for file in artifact/foo/bar artifact/README artifact/facts.jsonl artifact/expected/x.jsonl artifact/runs/x artifact/sources/README \
	artifact/manifests/trust.json manifests/notes manifests/keys/notes manifests/keys/more.pem.bak; do
	echo "$file" >b/$file
done
echo a >b/checksums/notes
cp -R b before
"$PTXSEAL" seal --role root --key root.key b || echo "exit code $?"
diff -r b before
cp b/manifests/demo.dsse.json b/manifests/other.dsse.json
forge_root
check
