# R-PCK-001 to R-PCK-007, R-BAG-*: hostile archives are refused by rule; nothing is written outside, nothing is left, and none takes more than 128 MiB.
. "$REPO/tests/cli/archive/common"
many_names
"$PTXSEAL" pack --output good.tar.zst b >packed
mkdir hostile work
python3 "$REPO/tests/archive/hostile.py" good.tar.zst hostile >made
[ "$(cut -d ' ' -f 1 <made)" -ge 60 ]
echo safe >victim
python3 "$REPO/tests/archive/refused.py" 128 "$PTXSEAL" hostile work victim b
[ ! -e /tmp/ptxseal-victim ] || echo "written outside"
