#!/usr/bin/env python3
"""A packed bundle holds for programs that are not ours: the reference bagit, roc-validator offline, GNU tar and zstd.

usage: check_archive.py UNPACKED. The directory is what `ptxseal unpack` (or tar) made; it is changed and changed back. Exit 0 it holds, 1 it does not,
77 skipped: needs bagit, roc-validator and rocrate, whose data has the JSON-LD context that roc-validator would fetch.
"""
import importlib.util
import io
import logging
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import bagit
    import requests
    import requests_cache
    import rocrate_validator  # noqa: F401: it is run as a program
    # Of rocrate only this file is needed, not what the package imports.
    CONTEXT_FILE = Path(importlib.util.find_spec("rocrate").origin).parent / "data" / "ro-crate.jsonld"
except (ImportError, AttributeError) as missing:
    print(f"{missing} (scripts/setup --tests installs it)")
    sys.exit(77)

ROOT = Path(sys.argv[1])
CONTEXT = "https://w3id.org/ro/crate/1.1/context"
faults = []
logging.disable(logging.CRITICAL)


def expect(what, good):
    if not good:
        faults.append(what)


def bag_holds():
    try:
        return bagit.Bag(str(ROOT)).validate() is True
    except bagit.BagError:
        return False


class FromFile(requests.adapters.BaseAdapter):
    """Answers as w3id.org would, from a file."""

    def send(self, request, **_):
        answer = requests.Response()
        answer.status_code, answer.url, answer.request = 200, request.url, request
        answer.headers["Content-Type"] = "application/ld+json"
        answer.raw = requests.packages.urllib3.HTTPResponse(body=io.BytesIO(CONTEXT_FILE.read_bytes()), status=200, headers=answer.headers, preload_content=False)
        return answer

    def close(self):
        pass


def crate_holds(cache, *options):
    validator = Path(sys.executable).parent / "rocrate-validator"
    done = subprocess.run([validator, "-y", "--disable-color", "validate", "--offline", "--cache-path", cache, "--no-paging", "-v", *options, ROOT / "data"],
                          capture_output=True, text=True)
    if done.returncode not in (0, 1):
        faults.append(f"roc-validator ended with {done.returncode}: {done.stdout}{done.stderr}")
    crate_holds.said = done.stdout
    return done.returncode == 0


expect("bagit refuses the bag", bag_holds())
with tempfile.TemporaryDirectory() as work:
    cache = str(Path(work) / "cache")
    session = requests_cache.CachedSession(cache_name=cache, expire_after=-1, backend="sqlite", allowable_methods=("GET",))
    session.mount("https://w3id.org/", FromFile())
    session.get(CONTEXT)
    session.close()
    # This profile takes in that of RO-Crate 1.1.
    if not crate_holds(cache, "--profile-identifier", "process-run-crate-0.5"):
        faults.append(f"roc-validator refuses the crate: {crate_holds.said}")
    metadata = ROOT / "data" / "ro-crate-metadata.json"
    text = metadata.read_bytes()
    metadata.write_bytes(text.replace(b'"Dataset"', b'"Datases"', 1))
    expect("bagit accepts changed metadata", not bag_holds())
    expect("roc-validator accepts a crate whose root is no Dataset", not crate_holds(cache))
    metadata.write_bytes(text)
for name in ["data/checksums/SHA256SUMS", "bag-info.txt", "manifest-sha256.txt"]:
    file = ROOT / name
    text = file.read_bytes()
    file.write_bytes(text[:-2] + bytes([text[-2] ^ 1]) + text[-1:])
    expect(f"bagit accepts a byte changed in {name}", not bag_holds())
    file.write_bytes(text)
extra = ROOT / "data" / "extra"
extra.write_bytes(b"")
expect("bagit accepts a file that is not listed", not bag_holds())
extra.unlink()
expect("changed back, bagit refuses the bag", bag_holds())

for fault in faults:
    print("FAIL", fault)
if faults:
    sys.exit(1)
print("bagit and roc-validator accept it, and refuse what is changed")
