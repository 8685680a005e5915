# --set-exact-output writes what a case does now, after which it passes; it leaves patterns alone.
mkdir -p cases/a
printf 'echo out; echo err >&2; exit 3' >cases/a/both.sh
: >cases/a/silent.sh
echo old >cases/a/silent.sh.stdout.exact
echo 9 >cases/a/silent.sh.exit
echo 'echo 12' >cases/a/pattern.sh
echo '[0-9]*' >cases/a/pattern.sh.stdout.glob
"$REPO/tests/cli/run" --dir cases --set-exact-output >first
"$REPO/tests/cli/run" --dir cases
ls cases/a
cat cases/a/both.sh.exit cases/a/both.sh.stdout.exact cases/a/both.sh.stderr.exact
cmp first <("$REPO/tests/cli/run" --dir cases)
