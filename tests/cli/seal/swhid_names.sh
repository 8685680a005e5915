# R-SWH-001: names that git refuses, on any file system, get no SWHID; of what it takes, all files count as they are, whatever .gitignore and .gitattributes say.
set -eu
command -v git >/dev/null || { echo "git is not installed"; exit 77; }
for name in .git .GIT .Git 'git~1' 'GIT~1' '.git ' '.git.' '.git::$INDEX_ALLOCATION' 'git~1 .'; do
	mkdir -p "b/artifact/$name"
	echo x >"b/artifact/$name/file"
	"$PTXSEAL" swhid b >out 2>&1 && echo "taken: '$name'" || grep -q R-SWH-001 out || cat out
	rm -r b
done
mkdir -p b/artifact/deep
printf 'a\r\nb\r\n' | tee b/artifact/lines >b/artifact/deep/ignored
for name in .gitx .gitmodules2 'git~2' 'git~11' x.git; do echo "$name" >"b/artifact/$name"; done
printf '* text=auto eol=lf ident\n' >b/artifact/.gitattributes
printf 'ignored\n*.git\n' >b/artifact/.gitignore
git init -q g
printf '* -text -ident -filter -working-tree-encoding\n' >g/.git/info/attributes
cp -r b/artifact g/
git -C g add -f -A
[ "$("$PTXSEAL" swhid b)" = "swh:1:dir:$(git -C g write-tree)" ] || { "$PTXSEAL" swhid b; git -C g write-tree; }
