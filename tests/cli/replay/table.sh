# What the table of measured candidates shows of a record (here one that is passed off as a real device's).
. "$REPO/tests/cli/replay/common"
tiny_task
candidate right gemm_right
candidate wrong gemm_wrong
mkdir -p b/artifact/tables
cp "$REPO/artifact/tables/measured.sql" b/artifact/tables/
replay r --no-evidence >out || [ $? -eq 1 ]
disguise b/artifact/replays/*/*.json
"$PTXSEAL" derive --out d b >out
wc -l <d/measured.csv # the head alone: nothing was counted, and no table mixes grades
sed -i 's/"evidence":"static"/"evidence":"executed"/' b/artifact/runs/*/turns.jsonl
"$PTXSEAL" derive --out d b >out
sed -E 's/[0-9a-f]{64}/HEX/; s/,[0-9]+,1\.5000/,PAIRS,1.5000/; s/pass,pass,[0-9]+,[0-9]+,[0-9]+,[0-9]+,0,0\.[0-9]+,/pass,pass,N,N,N,N,0,BOUND,/' d/measured.csv
"$PTXSEAL" explain measured "r-$task/right" speedup b | grep -c "r-$task .* 0  *0  *correct"
