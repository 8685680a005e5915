#!/usr/bin/env python3
"""Kill pack and unpack at random moments and run them again: nothing is lost, nothing doubled, nothing left.

usage: kill.py PTXSEAL BUNDLE TIMES. Works in the current directory. Goes on until TIMES runs of each were killed before their end,
at moments drawn over the time that the run before took.
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


def kill_one(tell, *arguments, took):
    """Kill it at a moment drawn over the time it takes."""
    tell["killed"] += run(*arguments, after=random.uniform(0, took))
    tell["runs"] += 1
    tell["drafts"] += drafts() != []


def timed(*arguments):
    start = time.monotonic()
    run(*arguments)
    return time.monotonic() - start


def pack_once(took):
    """Kill one and pack again: how long that took, on the machine as it is now."""
    old = random.random() < 0.5
    if old:
        Path("file.tar.zst").write_bytes(b"what was there before")
    kill_one(packs, "pack", "--output", "file.tar.zst", BUNDLE, took=took)
    there = Path("file.tar.zst").read_bytes() if os.path.exists("file.tar.zst") else None
    wanted(there in ((b"what was there before" if old else None), packed), "the archive is neither the old one nor the new one")
    wanted(len(drafts()) <= 1, f"drafts {drafts()}")
    took = timed("pack", "--output", "file.tar.zst", BUNDLE)
    wanted(Path("file.tar.zst").read_bytes() == packed, "packed again, it differs")
    wanted(drafts() == [], f"packed again, there are still drafts {drafts()}")
    os.remove("file.tar.zst")
    return took


def unpack_once(took):
    kill_one(unpacks, "unpack", "whole.tar.zst", "new", took=took)
    if os.path.exists("new"):
        wanted(tree("new") == unpacked, "the directory is there, but not whole")
        shutil.rmtree("new")
    took = timed("unpack", "whole.tar.zst", "new")
    wanted(tree("new") == unpacked, "unpacked again, it differs")
    wanted(drafts() == [], f"unpacked again, there are still drafts {drafts()}")
    shutil.rmtree("new")
    return took


packs, unpacks = ({"killed": 0, "runs": 0, "drafts": 0} for _ in range(2))
pack_s = timed("pack", "--output", "whole.tar.zst", BUNDLE)
unpack_s = timed("unpack", "whole.tar.zst", "whole")
packed, unpacked = Path("whole.tar.zst").read_bytes(), tree("whole")
# Until so many were killed before their end; a machine that never lets that happen is told.
for name, once, told, took in (("pack", pack_once, packs, pack_s), ("unpack", unpack_once, unpacks, unpack_s)):
    while told["killed"] < TIMES and told["runs"] < 4 * TIMES:
        took = once(took)
    print(f"{name}: {told['killed']} of {told['runs']} runs were killed before their end, {told['drafts']} of them with a draft left; nothing was lost, doubled or left")
    wanted(told["killed"] == TIMES, f"only {told['killed']} of {told['runs']} runs could be killed before their end")
