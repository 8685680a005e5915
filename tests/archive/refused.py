#!/usr/bin/env python3
"""Unpack and verify every archive of hostile.py: each is to be refused by a rule, with its exit code, and to leave nothing.

usage: refused.py MEBIBYTES PTXSEAL HOSTILE WORK GUARDED... Unpacks to WORK/new. WORK and what is GUARDED have to stay as they are, and no
run may take more memory (the kernel's ru_maxrss). Prints what is not so.
"""
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

MOST, PTXSEAL, HOSTILE, WORK = int(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])
GUARDED = [WORK] + [Path(p) for p in sys.argv[5:]]
# Making and removing 60,000 directories or 200,000 files takes minutes; reading them is the same code.
READ_ONLY = {"bomb-many-files.3", "memory-names.3", "memory-directories.3"}


def tree():
    """Everything guarded, with kind, mode and bytes."""
    found = []
    for top in GUARDED:
        for path in [top, *top.rglob("*")]:
            mode = path.lstat().st_mode
            content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() and not path.is_symlink() else ""
            found.append((os.fsencode(path), mode, os.readlink(path) if path.is_symlink() else content))
    return sorted(found)


def run(*arguments):
    """Exit code, what it said, and its peak in MiB."""
    with open("said", "w+b") as said:
        child = subprocess.Popen([PTXSEAL, *arguments], stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        return child.returncode, said.read().decode("utf-8", "backslashreplace"), usage.ru_maxrss >> 10


before = tree()
for file in sorted(HOSTILE.iterdir()):
    expected = int(file.suffix[1:])
    verbs = [("verify", str(file))] if file.name in READ_ONLY else [("unpack", str(file), str(WORK / "new")), ("verify", str(file))]
    for arguments in verbs:
        code, said, peak = run(*arguments)
        what = " ".join(arguments)
        if code != expected:
            print(f"{what}: exit {code}, expected {expected}\n{said}")
        if not re.search(r"R-[A-Z]*-[0-9]*: ", said):
            print(f"{what}: no rule\n{said}")
        if peak > MOST:
            print(f"{what}: peak memory {peak} MiB, expected at most {MOST}")
    after = tree()
    if after != before:
        print(f"{file}: it left something: {sorted(set(after) ^ set(before))}")
        shutil.rmtree(WORK)
        WORK.mkdir()
