"$PTXSEAL" help
