# An empty directory is a bundle without tables: nothing is derived, nothing differs.
mkdir empty
"$PTXSEAL" derive --check empty && "$PTXSEAL" claims empty
