#!/usr/bin/env python3
"""Kill pack and unpack at random moments and run them again: nothing is lost, nothing doubled, nothing left.

usage: kill.py PTXSEAL BUNDLE TIMES. Works in the current directory. Prints how many runs were killed before their end, of how many.
"""
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

PTXSEAL, BUNDLE, TIMES = sys.argv[1], sys.argv[2], int(sys.argv[3])
random.seed(TIMES)
killed = 0


def run(*arguments, after=None):
    """Run to the end, or kill it after so many seconds. True if it was killed before its end."""
    child = subprocess.Popen([PTXSEAL, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if after is not None:
        time.sleep(after)
        child.send_signal(signal.SIGKILL)
    error = child.communicate()[1]
    if child.returncode not in (0, -signal.SIGKILL):
        sys.exit(f"{arguments}: exit {child.returncode}: {error.decode()}")
    return child.returncode != 0


def tree(path):
    return sorted((str(p.relative_to(path)), hashlib.sha256(p.read_bytes()).hexdigest() if p.is_file() else "") for p in Path(path).rglob("*"))


def drafts():
    return [n for n in os.listdir() if n.startswith(".ptxseal-")]


def wanted(condition, what):
    if not condition:
        sys.exit(f"after a kill: {what}")


start = time.monotonic()
run("pack", "--output", "whole.tar.zst", BUNDLE)
pack_s = time.monotonic() - start
start = time.monotonic()
run("unpack", "whole.tar.zst", "whole")
unpack_s = time.monotonic() - start
packed, unpacked = Path("whole.tar.zst").read_bytes(), tree("whole")
for i in range(TIMES):
    old = random.random() < 0.5
    if old:
        Path("file.tar.zst").write_bytes(b"what was there before")
    was_killed = run("pack", "--output", "file.tar.zst", BUNDLE, after=random.uniform(0, 1.1 * pack_s))
    killed += was_killed
    there = Path("file.tar.zst").read_bytes() if os.path.exists("file.tar.zst") else None
    wanted(there in ((b"what was there before" if old else None), packed), "the archive is neither the old one nor the new one")
    wanted(len(drafts()) <= 1, f"drafts {drafts()}")
    run("pack", "--output", "file.tar.zst", BUNDLE)
    wanted(Path("file.tar.zst").read_bytes() == packed, "packed again, it differs")
    wanted(drafts() == [], f"packed again, there are still drafts {drafts()}")
    was_killed = run("unpack", "file.tar.zst", "new", after=random.uniform(0, 1.1 * unpack_s))
    killed += was_killed
    if os.path.exists("new"):
        wanted(tree("new") == unpacked, "the directory is there, but not whole")
        shutil.rmtree("new")
    run("unpack", "file.tar.zst", "new")
    wanted(tree("new") == unpacked, "unpacked again, it differs")
    wanted(drafts() == [], f"unpacked again, there are still drafts {drafts()}")
    shutil.rmtree("new")
    os.remove("file.tar.zst")
print(f"{killed} of {2 * TIMES} runs were killed before their end; nothing was lost, doubled or left")
