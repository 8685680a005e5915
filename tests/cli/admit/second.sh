# R-SUB-040, -061 to -063: what is told of a second submission, of known candidates, by a key and of a model that the archive has; it is admitted beside the first, and neither touches
# the other.
. "$REPO/tests/cli/admit/common"
submission $gemm
archive
"$PTXSEAL" admit --key log.key --into a s >out
seal_archive
rm -r w s
export LAB_SOURCE=lab2
"$python" "$lab" working "$REPO" w $gemm $forward
mv w/facts.json facts.json
sed -i 's/"compute_capability":90/"compute_capability":100/; s/"floor_ns":[0-9]*/"floor_ns":57065/' w/artifact/replays/lab2-$gemm/plain.json
"$PTXSEAL" submit --facts facts.json --key lab.key --into s w >out
"$PTXSEAL" admit --key log.key --into a s >out || { cat out; exit 1; }
grep -o 'R-[A-Z]*-[0-9]*' out | sort | uniq -c
tail -n 1 out
seal_archive
"$PTXSEAL" verify a >out && echo verified
"$PTXSEAL" derive --check --out d a >out
cut -d , -f 1 d/measured.csv | sort | uniq -c | grep lab
"$PTXSEAL" explain measured lab2-$gemm/decoy speedup a | grep -c 'manifests/submissions/[0-9a-f]*/manifests/lab2-gemm'
