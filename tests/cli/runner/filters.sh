# Filters choose by part of group/name; one that chooses nothing is an error, not a success.
mkdir -p cases/a cases/b
touch cases/a/one.sh cases/a/two.sh cases/b/one.sh cases/b/shared.inc
"$REPO/tests/cli/run" --dir cases a/
"$REPO/tests/cli/run" --dir cases one b/
"$REPO/tests/cli/run" --dir cases three
echo "exit code $?"
"$REPO/tests/cli/run" --jobs 0
