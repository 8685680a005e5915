# Files of a table that is gone are removed and told of; files of others stay.
. "$REPO/tests/cli/derive/bundle.inc"
sed 's/Figure 9/new/' bundle/artifact/tables/correct.sql >bundle/artifact/tables/second.sql
"$PTXSEAL" derive --out out bundle >/dev/null
touch out/mine.csv
rm bundle/artifact/tables/second.sql
"$PTXSEAL" derive --out out bundle && ls out
