#!/usr/bin/env python3
"""The signatures of a bundle hold for implementations that are not ours, and say what they should.

securesystemslib reads the DSSE envelopes and checks them, with the keys that manifests/trust.json gives the role;
cryptography checks SHA256SUMS.sig; hashlib the subjects of each in-toto statement and every line of SHA256SUMS.
usage: check_signatures.py [BUNDLE]. Exit 0 it holds, 1 it does not, 77 skipped: needs securesystemslib and cryptography.
"""
import hashlib
import json
import sys
from pathlib import Path

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.serialization import load_pem_public_key
    from securesystemslib.dsse import Envelope
    from securesystemslib.exceptions import VerificationError
    from securesystemslib.signer import SSlibKey
except ImportError as missing:
    print(f"{missing} (scripts/setup --tests installs it)")
    sys.exit(77)

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2])
MANIFESTS = ROOT / "manifests"
faults = []


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def keys(role):
    """keyid -> public key, of the keys that may sign in this role."""
    found = {}
    for entry in json.loads((MANIFESTS / "trust.json").read_bytes())["keys"]:
        if role in entry["roles"] and "revoked" not in entry:
            found[entry["fingerprint"]] = load_pem_public_key((MANIFESTS / entry["file"]).read_bytes())
    return found


for path in sorted(MANIFESTS.glob("*.dsse.json")):
    envelope = Envelope.from_dict(json.loads(path.read_bytes()))
    named = path.name.removesuffix(".dsse.json")
    role = "root" if named == "root" else "import" if (ROOT / "artifact/sources" / named).is_dir() else "replay"
    signers = [SSlibKey.from_crypto(key, keyid=keyid) for keyid, key in keys(role).items()]
    try:
        envelope.verify(signers, 1)
    except VerificationError as error:
        faults.append(f"FAIL {path.name}: {error}")
    if envelope.payload_type != "application/vnd.in-toto+json":
        faults.append(f"FAIL {path.name}: payload type {envelope.payload_type}")
    statement = json.loads(envelope.payload)
    if statement["_type"] != "https://in-toto.io/Statement/v1":
        faults.append(f"FAIL {path.name}: statement type {statement['_type']}")
    for subject in statement["subject"]:
        if sha256(ROOT / subject["name"]) != subject["digest"]["sha256"]:
            faults.append(f"FAIL {path.name}: {subject['name']} has another SHA-256")

sums = (ROOT / "checksums/SHA256SUMS").read_bytes()
signature = (ROOT / "checksums/SHA256SUMS.sig").read_bytes()
for key in keys("root").values():
    try:
        key.verify(signature, sums)
        break
    except InvalidSignature:
        pass
else:
    faults.append("FAIL SHA256SUMS.sig: signed by no root key")

listed = 0
for line in sums.decode().splitlines():
    digest, name = line.split("  ", 1)
    listed += 1
    if sha256(ROOT / name) != digest:
        faults.append(f"FAIL {name}: has another SHA-256")
if listed == 0:
    faults.append("FAIL SHA256SUMS: lists nothing")
print("\n".join(faults), end="\n" if faults else "")
sys.exit(1 if faults else 0)
