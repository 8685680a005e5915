# R-KEY-002: no private key enters a bundle, neither the one it is sealed with nor another, in whatever form: seal says so before
# it writes anything, and verify where somebody sealed it all the same.
. "$REPO/tests/cli/verify/common"
sealed
rsa() { openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 "$@" 2>/dev/null; }
cp root.key b/tasks/sealing
cp import.key b/tasks/import
openssl pkey -in import.key -outform DER -out b/tasks/der
openssl pkey -in import.key -aes256 -passout pass:secret -out b/tasks/encrypted
rsa -out b/tasks/rsa
rsa | openssl rsa -outform DER -traditional -out b/tasks/rsa.der 2>/dev/null
{ printf '{"note":"'; tr '\n' ' ' <import.key; echo '"}'; } >b/tasks/record.json
{ head -c 100000 /dev/zero; cat import.key; } >b/tasks/large
openssl pkey -in import.key -pubout -outform DER -out b/tasks/public.der
cp import.pub b/tasks/public
printf '\x30\x03abc' >b/tasks/no.der
cp -R b before
for key in root import; do
	"$PTXSEAL" seal --role $key --key $key.key b || echo "exit code $?"
	diff -r b before
done
forge_root
check
