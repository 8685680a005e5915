#!/usr/bin/env python3
"""Files for the benchmark of archives: a quarter random bytes, as in cubins, and PTX of this bundle, each MiB another piece of it.

usage: mix.py BUNDLE DIRECTORY FILES MIB. Writes so many files of so many MiB.
"""
import os
import sys
from pathlib import Path

bundle, directory, files, mib = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
text = b"".join(p.read_bytes() for p in sorted(bundle.glob("artifact/candidates/**/*.ptx")))
text += text[:1 << 20]
directory.mkdir(parents=True, exist_ok=True)
block = 0
for number in range(files):
    with open(directory / f"{number:02}", "wb") as out:
        for _ in range(mib):
            at = block * 777_777 % (len(text) - (1 << 20))
            piece = bytearray(text[at:at + (768 << 10)])
            # No two pieces are the same: a number every 4 KiB.
            for line in range(0, len(piece) - 16, 4096):
                piece[line:line + 16] = b"%016d" % (block * 1000 + line)
            out.write(piece)
            out.write(os.urandom(256 << 10))
            block += 1
