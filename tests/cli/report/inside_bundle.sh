# R-BND-012: a report is no part of a bundle. An empty name is no directory.
. "$REPO/tests/cli/derive/sealed.inc"
"$PTXSEAL" report --output bundle/artifact/report bundle
echo "exit code $?"
"$PTXSEAL" report --output '' bundle
echo "exit code $?"
[ ! -e bundle/artifact/report ]
