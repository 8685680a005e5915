# R-IO-003: a bundle that cannot be made.
. "$REPO/tests/cli/import/source.inc"
"$PTXSEAL" import ptxbench source --into /proc/bundle
