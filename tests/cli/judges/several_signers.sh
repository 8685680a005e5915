# securesystemslib finds two distinct keys, Ed25519 and P-256, in our envelopes, with our fingerprints as its keyids, and only one where a signature was changed.
. "$REPO/tests/cli/sign/common"
sealed
"$PTXSEAL" keygen --type p256 --out two.key --public two.pub >keygen.out
quiet trust --add two.pub --name two --role root b
quiet trust --threshold root=2 b
quiet seal --role root --key root.key b
quiet sign --key two.key b
cat >threshold.py <<'END'
import json, sys
try:
    from cryptography.hazmat.primitives.serialization import load_pem_public_key
    from securesystemslib.dsse import Envelope
    from securesystemslib.exceptions import VerificationError
    from securesystemslib.signer import SSlibKey
except ImportError as missing:
    print(f"{missing} (scripts/setup --tests installs it)")
    sys.exit(77)
trust = json.load(open("b/manifests/trust.json"))
envelope = Envelope.from_dict(json.load(open("b/manifests/root.dsse.json")))
keys = [SSlibKey.from_crypto(load_pem_public_key(open("b/manifests/" + entry["file"], "rb").read()), keyid=entry["fingerprint"])
        for entry in trust["keys"] if "root" in entry["roles"]]
try:
    print(len(envelope.verify(keys, trust["thresholds"]["root"])))
except VerificationError as error:
    print(error)
END
judge() { "${JUDGES:-python3}" threshold.py; }
judge
cp b/manifests/root.dsse.json good
for nth in 1 2; do
	sig=$(grep -o '"sig":"[^"]*"' good | sed -n ${nth}p)
	sed "s|$sig|${sig%????\"}AAAA\"|" good >b/manifests/root.dsse.json
	judge
done
payload=$(sed 's/.*"payload":"\([^"]*\)".*/\1/' good)
sed "s|$payload|$(base64 -d <<<"$payload" | sed 's/"files":/"filez":/' | base64 -w 0)|" good >b/manifests/root.dsse.json
judge
exit 0
