# R-CMP-007: an empty directory has nothing that could differ, and so nothing that holds.
mkdir empty
"$PTXSEAL" derive --check empty
echo "exit code $?"
"$PTXSEAL" claims empty 2>&1
