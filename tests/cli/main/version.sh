"$PTXSEAL" --version
