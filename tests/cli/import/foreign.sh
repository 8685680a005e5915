# R-IMP-013: a run of that name from another source.
. "$REPO/tests/cli/import/source.inc"
import >/dev/null || exit 1
sed -i 's/"source":"ptxbench"/"source":"measured"/' bundle/artifact/runs/opus48-gemm/run.json
"$PTXSEAL" import ptxbench source --into bundle
