# A directory that is no bundle has no report, and none is written.
mkdir empty
"$PTXSEAL" report --output out empty
code=$?
[ ! -e out ] || echo 'out was made'
exit $code
