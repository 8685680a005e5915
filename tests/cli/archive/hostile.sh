# R-PCK-001 to R-PCK-007, R-BAG-*: hostile archives are refused by rule; nothing is written outside, nothing is left, and none takes more than 128 MiB.
. "$REPO/tests/cli/archive/common"
many_names
"$PTXSEAL" pack --output good.tar.zst b >packed
mkdir hostile work
python3 "$REPO/tests/archive/hostile.py" good.tar.zst hostile >made
[ "$(cut -d ' ' -f 1 <made)" -ge 60 ]
echo safe >victim
tree victim work b >before
for file in hostile/*; do
	expected=${file##*.}
	case $file in
	# Making and removing 60,000 directories and 200,000 files takes minutes; reading them is the same code.
	*/bomb-many-files.3 | */memory-names.3 | */memory-directories.3) whats=("verify $file") ;;
	*) whats=("unpack $file work/new" "verify $file") ;;
	esac
	for what in "${whats[@]}"; do
		code=0
		python3 "$REPO/tests/archive/peak.py" 128 "$PTXSEAL" $what >said 2>&1 || code=$?
		[ "$code" = "$expected" ] || { echo "$what: exit $code, expected $expected"; cat said; }
		grep -q 'R-[A-Z]*-[0-9]*: ' said || { echo "$what: no rule"; cat said; }
	done
	tree victim work b | cmp -s - before || { echo "$file: it left something"; tree victim work b | diff before - || true; rm -rf work/* work/.[!.]*; }
done
[ ! -e /tmp/ptxseal-victim ] || echo "written outside"
