#!/usr/bin/env python3
"""Pack a bundle as pack does, without asking whether it verifies.

usage: repack.py GOOD.tar.zst DIRECTORY OUTPUT.tar.zst. GOOD, made by pack, gives the form of headers and what is in neither DIRECTORY nor the
bag's manifests. Needs zstd.
"""
import hashlib
import io
import re
import subprocess
import sys
import tarfile
from pathlib import Path

good, directory, output = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
raw = subprocess.run(["zstd", "-q", "-d", "-c", str(good)], stdout=subprocess.PIPE, check=True).stdout
tar = tarfile.open(fileobj=io.BytesIO(raw))
old = {m.name: tar.extractfile(m).read() for m in tar}


def header(name, size, kind=b"0"):
    block = raw[:512]
    for at, data in ((0, name[:100].ljust(100, b"\0")), (124, b"%011o\0" % size), (148, b" " * 8), (156, kind)):
        block = block[:at] + data + block[at + len(data):]
    if kind == b"L":
        for at, data in ((100, b"0000000\0"), (136, b"00000000000\0"), (265, b"root"), (297, b"wheel")):
            block = block[:at] + data + block[at + len(data):]
    return block[:148] + b"%06o\0 " % sum(block) + block[156:]


def pad(data):
    return data + b"\0" * (-len(data) % 512)


def entry(name, data):
    name = name.encode()
    head = header(b"././@LongLink", len(name) + 1, b"L") + pad(name + b"\0") if len(name) > 100 else b""
    return head + header(name, len(data)) + pad(data)


def lines(files):
    return "".join(f"{hashlib.sha256(data).hexdigest()}  {name[7:]}\n" for name, data in sorted(files.items())).encode()


payload = {f"bundle/data/{f.relative_to(directory)}": f.read_bytes() for f in directory.rglob("*") if f.is_file()}
payload["bundle/data/ro-crate-metadata.json"] = old["bundle/data/ro-crate-metadata.json"]
oxum = b"Oxum: %d.%d" % (sum(map(len, payload.values())), len(payload))
tags = {"bundle/bag-info.txt": re.sub(rb"Oxum: [\d.]+", oxum, old["bundle/bag-info.txt"]), "bundle/bagit.txt": old["bundle/bagit.txt"],
        "bundle/manifest-sha256.txt": lines(payload)}
files = {**payload, **tags, "bundle/tagmanifest-sha256.txt": lines(tags)}
packed = b"".join(entry(name, data) for name, data in sorted(files.items())) + b"\0" * 1024
Path(output).write_bytes(subprocess.run(["zstd", "-q", "-c"], input=packed, stdout=subprocess.PIPE, check=True).stdout)
