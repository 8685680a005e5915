#!/usr/bin/env python3
"""Kill a root seal at random moments and seal again: what it left says so itself, no file of the content is touched, and the second seal is the one that was meant.

usage: kill_seal.py PTXSEAL BUNDLE KEY TIMES. Works in the current directory; BUNDLE is sealed, with a change that is not. Prints how many runs were killed before their end, of how many.
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

PTXSEAL, BUNDLE, KEY, TIMES = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
SEAL = [PTXSEAL, "seal", "--role", "root", "--key", KEY, "b"]
random.seed(TIMES)
killed = unfinished = 0


def tell(*arguments):
    return subprocess.run(arguments, capture_output=True, text=True, check=False)


def wanted(condition, what):
    if not condition:
        sys.exit(f"after a kill: {what}")


def tree():
    return sorted((str(p.relative_to("b")), hashlib.sha256(p.read_bytes()).hexdigest()) for p in Path("b").rglob("*") if p.is_file())


def fresh():
    shutil.rmtree("b", ignore_errors=True)
    # Links will do: a seal replaces files, it does not write into them.
    shutil.copytree(BUNDLE, "b", copy_function=os.link)


def is_temporary(path):
    return os.path.basename(path).startswith(".ptxseal-")


fresh()
before = tree()
start = time.monotonic()
wanted(tell(*SEAL).returncode == 0, "it cannot be sealed at all")
took = time.monotonic() - start
sealed = tree()
content = [one for one in sealed if one in before]
for _ in range(TIMES):
    fresh()
    child = subprocess.Popen(SEAL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(random.uniform(0, 1.1 * took))
    child.send_signal(signal.SIGKILL)
    child.wait()
    killed += child.returncode == -signal.SIGKILL
    left = tree()
    wanted(all(one in left for one in content), "a file that is not the seal's is changed or gone")
    if left not in (before, sealed):
        said = tell(PTXSEAL, "verify", "b").stdout
        unfinished += "R-BND-008" in said
        wanted("R-BND-008" in said or [one for one in left if not is_temporary(one[0])] == before, "the bundle does not say that its seal is unfinished")
    for path, _ in left:
        if is_temporary(path):
            os.remove(f"b/{path}")  # as R-BND-011 says
    start = time.monotonic()
    wanted(tell(*SEAL).returncode == 0, "it cannot be sealed again")
    took = time.monotonic() - start  # as fast as the machine is now
    wanted(tree() == sealed, "sealed again, it is another seal")
    wanted(tell(PTXSEAL, "verify", "b").returncode == 0, "sealed again, it does not verify")
print(f"{killed} of {TIMES} runs were killed before their end, {unfinished} of them half written; nothing was lost, doubled or left")
