#!/usr/bin/env python3
"""Run a command; exit as it does, but with 99 where it took more memory.

usage: peak.py MEBIBYTES COMMAND... The figure is the kernel's ru_maxrss of the command.
"""
import resource
import subprocess
import sys

code = subprocess.run(sys.argv[2:]).returncode
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
if peak > int(sys.argv[1]):
    print(f"peak memory {peak} MiB, expected at most {sys.argv[1]}")
    code = 99
sys.exit(code)
