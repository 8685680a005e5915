# R-IO-001: a directory that is not there.
"$PTXSEAL" derive --check nowhere
