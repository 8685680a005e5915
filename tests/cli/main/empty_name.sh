# R-IO-007: an empty name (an unset shell variable) is refused wherever a file or directory is named, and nothing is made.
. "$REPO/tests/cli/derive/bundle.inc"
. "$REPO/tests/cli/import/source.inc"
refused() {
	local code=0

	"$PTXSEAL" "$@" || code=$?
	[ $code -eq 2 ] || echo "exit code $code: $*"
}
"$PTXSEAL" keygen --out k --public p >keygen.out
ls >before
refused derive --out '' bundle
refused derive --check --out '' bundle
refused derive ''
refused evaluate --out '' bundle
refused evaluate --key '' bundle
refused evaluate ''
refused import ptxbench source --into ''
refused import ptxbench ''
refused import ptxbench source --into new --figures ''
refused verify ''
refused verify --key '' bundle
refused claims ''
refused explain correct one/4 correct ''
refused seal --role root --key '' bundle
refused seal --role root --key k ''
refused keygen --out '' --public new
refused keygen --out new --public ''
ls | grep -v before | diff - <(grep -v before before)
