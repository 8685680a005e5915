# table NAME: 80 columns where the output is no terminal, whatever COLUMNS says; rows and columns chosen; another width.
. "$REPO/tests/cli/derive/bundle.inc"
export COLUMNS=200
"$PTXSEAL" table correct bundle
"$PTXSEAL" table --rows /4 --columns best,correct correct bundle
"$PTXSEAL" table --width 40 correct bundle
