#!/usr/bin/env python3
"""What the project says of itself for citing: CITATION.cff, .zenodo.json and codemeta.json.

cffconvert validates CITATION.cff by the schema of its version; what it makes of it for Zenodo and CodeMeta has to agree with our files of these. Required
fields of the others: Zenodo's deposit metadata (upload_type, title, creators with names, description, access_right), CodeMeta 3.0 (context, type, name).
All three give the Makefile's version.
usage: check_citation.py [REPOSITORY]. Exit 0 it holds, 1 it does not, 77 skipped: needs cffconvert.
"""
import json
import re
import sys
from pathlib import Path

try:
    from cffconvert import Citation
except ImportError as missing:
    print(f"{missing} (scripts/setup --tests installs it)")
    sys.exit(77)

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2])
text = (ROOT / "CITATION.cff").read_text()
zenodo = json.loads((ROOT / ".zenodo.json").read_text())
codemeta = json.loads((ROOT / "codemeta.json").read_text())
version = re.search(r"^VERSION := (.*)$", (ROOT / "Makefile").read_text(), re.M)[1]
faults = []


def same(what, ours, theirs):
    if ours != theirs:
        faults.append(f"FAIL {what}: {ours!r}, not {theirs!r}")


citation = Citation(text)
try:
    citation.validate()
except Exception as error:  # whatever its schema library raises
    faults.append(f"FAIL CITATION.cff: {str(error).splitlines()[0]}")
for what, record in (("CITATION.cff", citation.cffobj), (".zenodo.json", zenodo), ("codemeta.json", codemeta)):
    same(f"{what} version", record.get("version"), version)
for field in ("access_right", "creators", "description", "title", "upload_type"):
    if not zenodo.get(field):
        faults.append(f"FAIL .zenodo.json: no {field}")
if not faults:
    made = json.loads(citation.as_zenodo())
    for field in ("creators", "keywords", "title", "version"):
        same(f".zenodo.json {field}", zenodo.get(field), made.get(field))
    same(".zenodo.json license", zenodo.get("license"), made["license"]["id"])
    made = json.loads(citation.as_codemeta())
    for field in ("description", "keywords", "name", "version"):
        same(f"codemeta.json {field}", codemeta.get(field), made.get(field))
    same("codemeta.json @type", codemeta.get("@type"), "SoftwareSourceCode")
    same("codemeta.json @context", codemeta.get("@context"), "https://w3id.org/codemeta/3.0")
    same("codemeta.json author", [a["name"] for a in codemeta["author"]], [c["name"] for c in zenodo["creators"]])
print("\n".join(faults), end="\n" if faults else "")
sys.exit(1 if faults else 0)
