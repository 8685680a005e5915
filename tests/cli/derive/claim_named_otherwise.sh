# R-TAB-001: a claim's file is named by its id, so that C3 in a report is the file C3.sql.
mkdir -p bundle
cp -R "$REPO/artifact" "$REPO/tasks" bundle/
mv bundle/artifact/claims/C3.sql bundle/artifact/claims/C99.sql
"$PTXSEAL" claims bundle
