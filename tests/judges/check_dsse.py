"""usage: check_dsse.py (MANIFEST PUBLIC_KEY_PEM)...

Verifies each manifest with securesystemslib's DSSE. Its Envelope.verify wants the keyid to be the key's own, which is
whatever the application says: here our fingerprint, the SHA-256 of the key's SubjectPublicKeyInfo.
"""

import hashlib
import json
import sys

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import SignatureVerificationError, VerificationError
from securesystemslib.signer import SSlibKey


def check(manifest, pem):
    with open(pem, "rb") as file:
        public = load_pem_public_key(file.read())
    der = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    key = SSlibKey.from_crypto(public, keyid=hashlib.sha256(der).hexdigest())
    with open(manifest, encoding="utf-8") as file:
        envelope = Envelope.from_dict(json.load(file))
    if len(envelope.verify([key], 1)) != 1:
        sys.exit(f"{manifest}: not accepted")
    flipped = bytearray(envelope.payload)
    flipped[0] ^= 1
    envelope.payload = bytes(flipped)
    try:
        envelope.verify([key], 1)
    except (SignatureVerificationError, VerificationError):
        return
    sys.exit(f"{manifest}: accepted with a flipped bit: this judge judges nothing")


arguments = sys.argv[1:]
for manifest, pem in zip(arguments[::2], arguments[1::2], strict=True):
    check(manifest, pem)
print(f"{len(arguments) // 2} manifests verified")
