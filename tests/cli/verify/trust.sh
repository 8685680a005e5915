# R-TRU-001 to R-TRU-004, R-KEY-001: trust.json and the keys.
. "$REPO/tests/cli/verify/common"
sealed
cp -R b whole
try() {
	printf -- '-- %s\n' "$1"
	reseal
	check || [ $? -eq 1 ]
	rm -r b
	cp -R whole b
}
sed -i 's/,/, /' b/manifests/trust.json
try "a space"
sed -i 's,keys/import.pem,keys/root.pem,' b/manifests/trust.json
try "one file for two keys"
cp b/manifests/keys/root.pem b/manifests/keys/import.pem
try "another key in the file"
echo hello >b/manifests/keys/import.pem
try "no key in the file"
cp root.pub b/manifests/keys/copy.pem
try "a key that is not in trust.json"
rm b/manifests/keys/import.pem
try "a key that is gone"
