# A submission that was unpacked is admitted as it verifies, with the crate beside it; the bag's top says where it is (R-BND-013). An archive without a log is told
# to begin one (R-ADM-013), and a task that the facts say nothing of is told before anything is made (R-SUB-019).
. "$REPO/tests/cli/admit/common"
submission $gemm
"$PTXSEAL" submit --facts facts.json --key lab.key --output s.tar.zst w >out
"$PTXSEAL" unpack s.tar.zst u >out
ls u/data/ro-crate-metadata.json
archive
"$PTXSEAL" admit --check --into a u/data | tail -n 1
"$PTXSEAL" admit --check --into a u 2>&1 || echo "exit $?"
mv a/manifests/log log
"$PTXSEAL" admit --check --into a u/data >out || grep R-ADM-013 out
"$PTXSEAL" admit --key log.key --into a u/data >out || tail -n 1 out
mv log a/manifests/log
"$PTXSEAL" admit --key log.key --into a u/data | tail -n 2
sed -i 's/"conflicts": *\[[^]]*\]/"conflicts":[]/' facts.json
"$PTXSEAL" submit --facts facts.json --key lab.key --into other w || ls other 2>/dev/null || echo 'nothing was made'
