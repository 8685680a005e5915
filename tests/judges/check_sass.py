#!/usr/bin/env python3
"""nvdisasm and ptxseal read the same instructions in every cubin of tests/kernel, and in what ptxas makes of its PTX.

For every instruction: offset, guard, base mnemonic; for the families also all modifiers, null or not, and the operations, worked out
here from nvdisasm's text. --sweep also flips bits of each family's instructions and compares what both make of them (minutes).
Further cubins can be named. An opcode that ptxseal has no name for is counted apart and is no mismatch.
usage: check_sass.py PTXSEAL CHECKOUT [--sweep] [CUBIN...]. Exit 0 they agree, 1 they do not, 77 skipped: needs nvdisasm 13.
"""
import importlib.util
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PTXSEAL, ROOT = sys.argv[1], Path(sys.argv[2])
SWEEP = "--sweep" in sys.argv
NAMED = [Path(a) for a in sys.argv[3:] if not a.startswith("--")]
COUNTED_ONLY = ("LDGSTS", "LDSM", "STSM")  # cache modifiers are not read
MULTIPLY = re.compile(r"^(?:[HQIB]GMMA|HMMA|IMMA|BMMA|DMMA)$")


def find_nvdisasm():
    """A path, or None: $NVDISASM, the judges' virtual environment, PATH, the usual folder."""
    found = [os.environ.get("NVDISASM")]
    spec = importlib.util.find_spec("nvidia")
    for home in spec.submodule_search_locations if spec else []:
        found += sorted(str(p) for p in Path(home).glob("*/bin/nvdisasm"))
    found += [shutil.which("nvdisasm"), "/usr/local/cuda/bin/nvdisasm"]
    return next((f for f in found if f and os.access(f, os.X_OK)), None)


NVDISASM = find_nvdisasm()
if NVDISASM is None:
    print("nvdisasm is not installed here")
    sys.exit(77)


def split(text):
    """'@!UP0 HGMMA.64x8x16.F16 RZ, gdesc[UR4], RZ, !UPT' -> guard, mnemonic with modifiers, operands."""
    match = re.match(r"(?:(@!?U?P[0-6T])\s+)?([A-Z0-9_][A-Za-z0-9_.?]*)\s*(.*)$", text)
    return (match[1] or "", match[2], match[3])


def disassemble(cubin):
    """{function: {offset: (guard, mnemonic, operands)}}"""
    run = subprocess.run([NVDISASM, "-c", str(cubin)], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        return None
    functions, current = {}, None
    for line in run.stdout.splitlines():
        if match := re.match(r"\.text\.(.*):$", line):
            current = functions.setdefault(match[1], {})
        elif match := re.match(r"\s+/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;", line):
            current[int(match[1], 16)] = split(match[2])
    return functions


def inspect(cubin):
    """Ours: {function: {offset: instruction}} and the architecture."""
    run = subprocess.run([PTXSEAL, "inspect", "--json", "--list", str(cubin)], capture_output=True, text=True, check=True)
    image = json.loads(run.stdout)["images"][0]
    return {f["name"]: {i["offset"]: i for i in f["list"]} for f in image["functions"]}, image["arch"]


def meaningless(mnemonic):
    """nvdisasm's words for a value without a meaning, as ours."""
    return re.sub(r"INVALID\d+|\?\?\?\d+", "?", mnemonic)


def operations(guard, mnemonic, operands):
    """What sass.h says of one execution by one warp, from nvdisasm's text alone; None: not in the instruction."""
    base, *rest = mnemonic.split(".")
    never = guard in ("@!PT", "@!UPT")
    if re.match(r"UTC[HQIO]MMA$", base):
        return 0 if never else None
    if not MULTIPLY.match(base) or never or operands.split(",")[0].strip() == "RZ":
        return 0
    if "?" in mnemonic:
        return None
    shape = next(part for part in rest if re.match(r"\d+(x\d+x\d+)?$", part))
    if "x" in shape:
        m, n, k = map(int, shape.split("x"))
    else:
        m, rest_of = (16, shape[2:]) if shape.startswith("16") else (8, shape[1:])
        n, k = 8, int(rest_of[1:])
    return 2 * m * n * k // (2 if "SP" in rest else 1) // (4 if base.endswith("GMMA") else 1)


class Count:
    """What was compared, and what differed."""

    def __init__(self):
        self.instructions = self.families = self.unnamed = self.mismatches = 0

    def differs(self, where, ours, theirs):
        self.mismatches += 1
        if self.mismatches <= 40:
            print(f"FAIL {where}: ptxseal {ours}, nvdisasm {theirs}")

    def compare(self, where, ours, theirs):
        """One instruction."""
        guard, mnemonic, operands = theirs
        theirs_plain = meaningless(mnemonic)
        base = theirs_plain.split(".")[0]
        self.instructions += 1
        if ours["text"].startswith("0x"):
            self.unnamed += 1
            if re.match(r"\w*GMMA|UTM|UTC|UBLK|LDTM|STTM|\w*MMA$|LDGSTS|LDSM|STSM", base):
                self.differs(where, ours["text"], mnemonic)
            elif ours["guard"].replace("U", "") != guard.replace("U", ""):
                self.differs(where, ours["guard"], guard)
            return
        if ours["guard"] != guard:
            self.differs(where, ours["guard"] or "no guard", guard or "no guard")
        if ours["family"] == "other":
            if ours["text"] != base:
                self.differs(where, ours["text"], base)
            return
        self.families += 1
        expected = base if base in COUNTED_ONLY else theirs_plain
        if ours["text"] != expected:
            self.differs(where, ours["text"], mnemonic)
            return
        if base not in COUNTED_ONLY and ours["understood"] != ("?" not in theirs_plain):
            self.differs(where, f"understood {ours['understood']}", mnemonic)
        if MULTIPLY.match(base) and ours["null"] != (operands.split(",")[0].strip() == "RZ"):
            self.differs(where, f"null {ours['null']}", operands)
        work = operations(guard, theirs_plain, operands)
        if ours["operations_per_warp"] != work:
            self.differs(where, f"{ours['operations_per_warp']} operations", work)
        if base.endswith("GMMA") and ours["overwrite"] != bool(re.search(r", !UPT\b", operands)):
            self.differs(where, f"overwrite {ours['overwrite']}", operands)
        if base == "LDGSTS" and "?" not in theirs_plain:
            width = next((int(p) // 8 for p in mnemonic.split(".") if p in ("64", "128")), 4)
            if ours["width"] != width:
                self.differs(where, f"{ours['width']} bytes", mnemonic)
        if base in ("LDSM", "STSM") and "?" not in theirs_plain:
            width = int(mnemonic[-1]) if mnemonic[-2:] in (".2", ".4") else 1
            if ours["width"] != width:
                self.differs(where, f"{ours['width']} matrices", mnemonic)


def compare_cubin(name, cubin, count):
    """All instructions of all functions."""
    theirs, (ours, _) = disassemble(cubin), inspect(cubin)
    if theirs is None or theirs.keys() != ours.keys():
        count.differs(name, sorted(ours), sorted(theirs or []))
        return
    for function, listing in theirs.items():
        if listing.keys() != ours[function].keys():
            count.differs(f"{name} {function}", f"{len(ours[function])} instructions", len(listing))
        for offset, instruction in listing.items():
            if offset in ours[function]:
                count.compare(f"{name} {function}+{offset:#x}", ours[function][offset], instruction)


# ---- sweep ----

def raw(words, arch, folder):
    """nvdisasm on bare instructions: a text each, or None for one that it refuses. It stops at the first it refuses."""
    result, left = [None] * len(words), list(range(len(words)))
    while left:
        path = folder / "raw.bin"
        path.write_bytes(b"".join(words[i] for i in left))
        run = subprocess.run([NVDISASM, "-b", arch.replace("sm_", "SM"), str(path)], capture_output=True, text=True, check=False)
        lines = {int(m[1], 16): m[2] for m in re.finditer(r"/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;", run.stdout)}
        if len(lines) == len(left):
            for place, index in enumerate(left):
                result[index] = split(lines[place * 16])
            return result
        bad = re.search(r"at address 0x([0-9a-f]+)", run.stderr)
        if bad:
            left.pop(int(bad[1], 16) // 16)
        elif len(left) == 1:
            return result
        else:
            half = len(left) // 2
            for part in (left[:half], left[half:]):
                for index, text in zip(part, raw([words[i] for i in part], arch, folder)):
                    result[index] = text
            return result
    return result


def ours_raw(words, host, arch, folder):
    """Ours on bare instructions: they take the place of the code of a cubin's largest function."""
    data = bytearray(host.read_bytes())
    run = subprocess.run([PTXSEAL, "inspect", "--json", str(host)], capture_output=True, text=True, check=True)
    function = max(json.loads(run.stdout)["images"][0]["functions"], key=lambda f: f["size"])
    result, room = [], function["size"] // 16
    for start in range(0, len(words), room):
        part = words[start:start + room]
        code = b"".join(part).ljust(function["size"], b"\0")
        data[function["offset"]:function["offset"] + function["size"]] = code
        (folder / "host.cubin").write_bytes(data)
        listing = inspect(folder / "host.cubin")[0][function["name"]]
        result += [listing[16 * i] for i in range(len(part))]
    return result


def sweep(cubins, count, folder):
    """Each family instruction of each kind: every bit that could matter, and mixtures of several."""
    rng = random.Random(20260101)
    for arch in ("sm_90a", "sm_100a"):
        seen, words, host = {}, [], None
        for cubin in cubins:
            functions, of = inspect(cubin)
            if of != arch:
                continue
            data = cubin.read_bytes()
            host = cubin if host is None or cubin.stat().st_size > host.stat().st_size else host
            run = subprocess.run([PTXSEAL, "inspect", "--json", str(cubin)], capture_output=True, text=True, check=True)
            for function in json.loads(run.stdout)["images"][0]["functions"]:
                for offset, instruction in functions[function["name"]].items():
                    if instruction["family"] != "other":
                        at = function["offset"] + offset
                        word = data[at:at + 16]
                        seen.setdefault((instruction["text"], word[1] & 15), word)
        interesting = [*range(12, 24), *range(53, 64), *range(72, 91)]
        for word in seen.values():
            value = int.from_bytes(word, "little")
            some = [value ^ (1 << bit) for bit in interesting]
            some += [value ^ sum(1 << bit for bit in rng.sample(interesting, rng.randint(2, 6))) for _ in range(8)]
            words += [w.to_bytes(16, "little") for w in some]
        # In small lots: one that is refused costs its lot a run.
        theirs = [text for at in range(0, len(words), 48) for text in raw(words[at:at + 48], arch, folder)]
        ours = ours_raw(words, host, arch, folder)
        refused = 0
        for word, one, other in zip(words, ours, theirs):
            if other is None:
                refused += 1
            else:
                count.compare(f"{arch} {int.from_bytes(word, 'little'):032x}", one, other)
        print(f"{arch}: {len(words)} instructions made of {len(seen)}, {refused} of them refused by nvdisasm")


def main():
    """The committed cubins, what ptxas makes of the committed PTX, and what is named."""
    count = Count()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cubins = sorted((ROOT / "tests/kernel").glob("*.cubin"))
        for cubin in cubins + NAMED:
            compare_cubin(cubin.name, cubin, count)
        if SWEEP:
            sweep(cubins, count, folder)
    print(f"{count.instructions} instructions of {len(cubins) + len(NAMED)} cubins, {count.families} of them in families, "
          f"{count.unnamed} without a name: {count.mismatches} mismatches")
    return 1 if count.mismatches else 0


sys.exit(main())
