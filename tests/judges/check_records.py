#!/usr/bin/env python3
"""Every record in artifact/ is, to the byte, what an RFC 8785 writer that is not ours makes of it.

usage: check_records.py [CHECKOUT]. Exit 0 it is, 1 it is not (each such line on stdout), 77 skipped: needs rfc8785.
"""
import json
import sys
from pathlib import Path

try:
    import rfc8785
except ImportError as missing:
    print(f"{missing} (scripts/setup --tests installs it)")
    sys.exit(77)

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2])

faults = []
files = sorted((ROOT / "artifact").rglob("*.jsonl"))
for path in files:
    for number, line in enumerate(path.read_bytes().splitlines(keepends=True), 1):
        if line != rfc8785.dumps(json.loads(line)) + b"\n":
            faults.append(f"FAIL {path.relative_to(ROOT)}:{number}: not canonical")
if not files:
    faults.append("FAIL artifact: no records")
print("\n".join(faults), end="\n" if faults else "")
sys.exit(1 if faults else 0)
