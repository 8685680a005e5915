# R-CMP-006 and 007: a bundle without claims and published cells, sealed as it is, does not hold.
. "$REPO/tests/cli/derive/sealed.inc"
rm -r bundle/artifact/expected bundle/artifact/claims
seal
"$PTXSEAL" evaluate --out out bundle | hide
exit "${PIPESTATUS[0]}"
