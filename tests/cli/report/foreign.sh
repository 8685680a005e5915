# R-RPT-001: a file of somebody else's is not replaced, and nothing is written beside it.
. "$REPO/tests/cli/derive/sealed.inc"
mkdir out
echo mine >out/report.html
"$PTXSEAL" report --output out bundle
code=$?
ls out && cat out/report.html
exit $code
