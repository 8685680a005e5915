# R-CMP-007: an empty bundle has nothing that could differ, and so nothing that holds.
mkdir -p empty/artifact
"$PTXSEAL" derive --check empty
echo "exit code $?"
"$PTXSEAL" claims empty 2>&1
