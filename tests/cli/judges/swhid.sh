# The SWHID is what git says of a directory that holds only the bundle: executable files, odd names, names that sort otherwise with a '/'.
. "$REPO/tests/cli/sign/common"
command -v git >/dev/null || { echo "git is not installed"; exit 77; }
sealed
mkdir -p b/artifact/facts/a b/artifact/facts/a.b b/artifact/facts/a-b b/artifact/facts/empty/deeper
for file in 'a/x' 'a.b/x' 'a-b/x' 'a.c' 'a0' 'näme' 'with space' 'new
line'; do
	printf '%s' "$file" >"b/artifact/facts/$file"
done
: >b/artifact/facts/nothing
chmod 755 b/artifact/facts/a0
head -c 300000 /dev/urandom >b/artifact/facts/large
says() {
	rm -rf git && cp -R b git
	printf 'swh:1:dir:%s\n' "$(cd git && git init -q . && git add -A && git write-tree)"
}
same() {
	[ "$("$PTXSEAL" swhid b)" = "$(says)" ] && echo same
}
same
before=$("$PTXSEAL" swhid b)
mkdir -p b/build && touch b/README
[ "$("$PTXSEAL" swhid b)" = "$before" ] && echo "what stands beside is not counted"
rm -r b/build b/README
sed -i 's/gemm/gemn/' b/tasks/gemm/task.json
same
[ "$("$PTXSEAL" swhid b)" != "$before" ] && echo "one byte changes it"
chmod 755 b/tasks/gemm/task.json
same
rm -r b/tasks
same
ln -s x b/artifact/link
failing "$PTXSEAL" swhid b
rm b/artifact/link
mkdir b/artifact/.git && touch b/artifact/.git/x
failing "$PTXSEAL" swhid b
mkdir empty
failing "$PTXSEAL" swhid empty
# The committed bundle, by git's own objects.
if git -C "$REPO" rev-parse -q --verify HEAD >/dev/null 2>&1; then
	git clone -q "$REPO" clone 2>/dev/null && cd clone &&
		[ "$("$PTXSEAL" swhid)" = "swh:1:dir:$(git ls-tree HEAD artifact checksums manifests tasks | git mktree)" ] && echo "the commit's"
fi
exit 0
