# A wrong command line names what is wrong.
"$PTXSEAL" derive --chek; "$PTXSEAL" derive a b; "$PTXSEAL" derive --out
"$PTXSEAL" claims --all; "$PTXSEAL" explain a b; "$PTXSEAL" explain --csv a b c; "$PTXSEAL" explain a b c d e
mkdir -p none/artifact
"$PTXSEAL" table answered none
"$PTXSEAL" evaluate --key a --fingerprint b; "$PTXSEAL" evaluate --fingerprint b
