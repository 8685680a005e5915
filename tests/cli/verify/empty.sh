# R-BND-013: a directory with nothing of a bundle in it is none. R-BND-001: with the least of one it is a bundle whose seal is missing, never a pass.
. "$REPO/tests/cli/verify/common"
mkdir b
check 2>&1 || echo "exit $?"
for top in artifact tasks manifests checksums; do
	mkdir b/$top
	check || echo "exit $?"
	rmdir b/$top
done
