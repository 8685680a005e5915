# R-IMP-013: a run of the bundle that the source no longer has; it and all else stay as they were.
. "$REPO/tests/cli/import/source.inc"
import >/dev/null || exit 1
mv bundle/artifact/runs/opus48-gemm bundle/artifact/runs/old
sed -i 's/"run":"opus48-gemm"/"run":"old"/' bundle/artifact/runs/old/run.json
cp -r bundle before
code=0
"$PTXSEAL" import ptxbench source --into bundle || code=$?
diff -r before bundle || exit 1
exit $code
