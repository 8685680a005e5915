"$PTXSEAL" help frobnicate
