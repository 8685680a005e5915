# A bundle sealed with P-256 holds for openssl by hand, and of the two signatures that ECDSA has only one is taken (R-SIG-002).
. "$REPO/tests/cli/sign/common"
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
content
for role in import root; do
	"$PTXSEAL" keygen --type p256 --out $role.key --public $role.pub | hide | head -n 1
	"$PTXSEAL" seal --role $role --key $role.key b | hide
done
"$PTXSEAL" verify b | hide
openssl pkey -pubin -in b/manifests/keys/root.pem -noout -text | grep 'NIST CURVE'
openssl pkeyutl -verify -pubin -inkey b/manifests/keys/root.pem -rawin -digest sha256 -in b/checksums/SHA256SUMS -sigfile b/checksums/SHA256SUMS.sig
openssl dgst -sha256 -verify b/manifests/keys/root.pem -signature b/checksums/SHA256SUMS.sig b/checksums/SHA256SUMS

echo "-- sealed again: nothing changes, though an ECDSA signature is never the same"
cp -R b before
quiet seal --role import --key import.key b
quiet seal --role root --key root.key b
diff -r before b

echo "-- the other signature, (r, n - s)"
cat >other.py <<'END'
import sys
n = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
der = sys.stdin.buffer.read()
r_len = der[3]
r, s = der[4:4 + r_len], int.from_bytes(der[6 + r_len:], "big")
other = (n - s).to_bytes(33, "big").lstrip(b"\0")
other = (b"\0" if other[0] >= 0x80 else b"") + other
body = bytes([2, r_len]) + r + bytes([2, len(other)]) + other
sys.stdout.buffer.write(bytes([0x30, len(body)]) + body)
END
python3 other.py <b/checksums/SHA256SUMS.sig >other.sig
openssl dgst -sha256 -verify b/manifests/keys/root.pem -signature other.sig b/checksums/SHA256SUMS
cp other.sig b/checksums/SHA256SUMS.sig
sed 's/.*"sig":"\([^"]*\)".*/\1/' before/manifests/root.dsse.json | base64 -d | python3 other.py | base64 -w 0 >other.64
sed -i 's|"sig":"[^"]*"|"sig":"'"$(cat other.64)"'"|' b/manifests/root.dsse.json
failing "$PTXSEAL" verify b | hide
