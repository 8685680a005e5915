# R-SIG-001, R-SIG-002, R-SIG-003: envelopes that other readers may take, but a bundle does not.
. "$REPO/tests/cli/verify/common"
sealed
cp b/manifests/demo.dsse.json good
try() {
	printf -- '-- %s\n' "$1"
	cat >b/manifests/demo.dsse.json
	reseal
	check || [ $? -eq 1 ]
}
sed 's/,/, /' good | try "a space"
sed 's/^{/{"more":1,/' good | try "one more field"
sed 's/"keyid":"[^"]*"/"keyid":""/' good | try "no keyid"
sed 's/\[\({.*}\)\]/[\1,\1]/' good | try "two signatures"
sed 's/"payload":"/&!/' good | try "no base64"
printf 'hello\n' | try "no JSON"
