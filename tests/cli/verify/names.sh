# R-BND-010: a source called root would have the root manifest as its own.
. "$REPO/tests/cli/verify/common"
sealed
mkdir b/artifact/sources/root "b/artifact/sources/a b"
printf '{}\n' | tee b/artifact/sources/root/source.json >"b/artifact/sources/a b/source.json"
reseal
check
