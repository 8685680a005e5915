# All findings, in the order of the files, whatever order the directory has.
. "$REPO/tests/cli/verify/common"
sealed
for name in zz a B 10 9; do echo $name >b/artifact/$name; done
check >first || true
for name in 9 10 B a zz; do rm b/artifact/$name; done
for name in 9 10 B a zz; do echo $name >b/artifact/$name; done
check >second || true
cmp first second
sed -n '1,5s/:.*//p' first
