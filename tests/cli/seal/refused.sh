# What is refused is refused before the first write: the bundle stays as it was, to the byte.
. "$REPO/tests/cli/verify/common"
sealed
"$PTXSEAL" keygen --out new.key --public new.pub >keygen.out
refused() { # ARGUMENT...
	cp -R b before
	"$PTXSEAL" seal "$@" b 2>&1 | hide || echo "exit code $?"
	diff -r --no-dereference b before
	rm -r b before
	cp -R good b
}
cp -R b good
ln -s x b/tasks/link
refused --role root --key new.key --name new
rm b/artifact/sources/demo/source.json
refused --role import --key new.key --name new
mkdir b/artifact/sources/another
echo x >b/artifact/sources/another/notes
refused --role import --key new.key --name new
echo '{"run":"third","source":"none"}' >b/artifact/runs/second/run.json
refused --role import --key new.key --name new
rm -r b/artifact/sources/demo
refused --role import --key new.key --name new
refused --role root --key new.key
