# What an earlier report wrote and this one does not is removed; what no report can have written stays, though the list names it.
. "$REPO/tests/cli/derive/sealed.inc"
"$PTXSEAL" report --output out bundle
mkdir -p out/figures out/kernels
touch out/figures/gone.svg out/kernels/gone.html out/mine.txt out/figures/mine.txt keep.html out/kernels/mine.html
printf '%s\n' kernels/gone.html figures/gone.svg figures/mine.txt mine.txt ../keep.html /etc/passwd kernels/../../keep.html >>out/REPORT
"$PTXSEAL" report --output out bundle
find . -name 'gone*' -o -name 'mine*' -o -name 'keep*' | LC_ALL=C sort
cat out/REPORT | grep -v '^figures/'
