# A report that did not reach its reader is not a success.
"$PTXSEAL" help >/dev/full
