# CITATION.cff, .zenodo.json and codemeta.json hold for cffconvert and agree; what is changed in one does not.
judge() {
	"${JUDGES:-python3}" "$REPO/tests/judges/check_citation.py" "$@" 2>/dev/null
}
judge "$REPO"
code=$?
[ $code -eq 0 ] || exit $code
try() {
	cp "$REPO/CITATION.cff" "$REPO/.zenodo.json" "$REPO/codemeta.json" "$REPO/Makefile" .
	sed -i "$2" "$1"
	judge . | cut -c 1-60
}
try CITATION.cff '/^title/d'
try CITATION.cff 's/^version: .*/version: 9.9.9/'
try .zenodo.json 's/"upload_type"/"upload"/'
try codemeta.json 's/The ptxseal developers/Somebody/'
exit 0
