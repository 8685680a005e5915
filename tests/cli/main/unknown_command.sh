"$PTXSEAL" frobnicate
