# R-BAG-*: every bag of the BagIt conformance suite is judged as its folder says: valid ones pass, invalid ones and those with paths that
# leave the bag on one system or the other fail, and of a doubtful one something is said.
suite=$PTXSEAL_SHARED/vectors/bagit
[ -d "$suite" ] || { echo "the suite is not there: PTXSEAL_SHARED/vectors/bagit"; exit 77; }
for bag in "$suite"/v*/*/*/; do
	folder=$(basename "$(dirname "$bag")") code=0
	"$PTXSEAL" bag "$bag" >said 2>&1 || code=$?
	case $folder in
	valid) [ $code -eq 0 ] && ! grep -q '^[0-9]* finding' said ;;
	warning) { [ $code -eq 0 ] && grep -q warning said; } || { [ $code -eq 1 ] && grep -q R-BAG-008 said; } ;;
	invalid | linux-only | windows-only) [ $code -eq 1 ] || [ $code -eq 3 ] ;;
	*) false ;;
	esac || { echo "$bag: exit $code"; cat said; }
	echo "$folder"
done | sort | uniq -c
