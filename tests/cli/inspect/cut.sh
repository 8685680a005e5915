# R-ELF-002: a file that was not fetched whole.
head -c 5000 "$REPO/tests/kernel/tma.cubin" >cut.cubin
"$PTXSEAL" inspect cut.cubin
