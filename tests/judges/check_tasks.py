#!/usr/bin/env python3
"""tasks/ is whole and agrees with itself. Plain python3, no packages.

Recounts from task.json what facts.json says (operations, bytes, sizes), so that neither is believed alone, and computes the
UUIDs of the backward workloads again.
usage: check_tasks.py [CHECKOUT]. Exit 0 it holds, 1 it does not (each fault a line on stdout).
"""
import ast
import json
import math
import re
import sys
import uuid
from pathlib import Path

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2])
FILES = {"task.json", "workloads.jsonl", "facts.json"}
BYTES = {"bfloat16": 2, "float32": 4, "int32": 4, "float8_e4m3fn": 1}
INTEGER_MAX = 2**53 - 1  # RFC 7493 section 2.2
COUNTS = {"core": 5, "extra": 11, "other": 28}  # of each paper_set: PTXBench's experiments.csv has the first two
PRODUCTS = {"mha_forward": 2, "mha_backward": 5, "gqa_decode": 2, "gqa_prefill": 2}  # matrix products, FlashAttention's count
faults = []


def fault(path, text):
    faults.append(f"FAIL {path}: {text}")


def strict(text):
    """One JSON value as runner/base/json.h takes it: no duplicate keys, no NaN, integers that a double holds."""

    def pairs(items):
        if len({key for key, _ in items}) != len(items):
            raise ValueError(f"duplicate key in the object that starts with \"{items[0][0]}\"")
        return dict(items)

    def integer(digits):
        if abs(int(digits)) > INTEGER_MAX:
            raise ValueError(f"integer {digits} is larger than 2^53-1")
        return int(digits)

    def constant(name):
        raise ValueError(f"{name} is no JSON")

    return json.loads(text, object_pairs_hook=pairs, parse_int=integer, parse_constant=constant)


def documented_fields():
    """First column of the table under "## facts.json" in docs/tasks.md."""
    section = (ROOT / "docs/tasks.md").read_text(encoding="utf-8").split("## facts.json", 1)[1]
    rows = re.findall(r"^\| ([a-z0-9_, ]+?) \| [a-z ]+ \|", section.split("\n## ", 1)[0], re.M)
    return [name for row in rows for name in row.split(", ") if row != "field"]


def sizes(task, workload, path):
    """Every axis's size in this workload."""
    values = {}
    for axis, spec in task["axes"].items():
        if spec["type"] == "const":
            values[axis] = spec["value"]
            if workload["axes"].get(axis, spec["value"]) != spec["value"]:
                fault(path, f"axis {axis} is {workload['axes'][axis]}, in task.json it is constant {spec['value']}")
        elif axis in workload["axes"]:
            values[axis] = workload["axes"][axis]
        else:
            fault(path, f"has no size for the variable axis {axis}")
    for axis in workload["axes"].keys() - task["axes"].keys():
        fault(path, f"axis {axis} is not in task.json")
    return values


def tensors(task):
    return {**task["inputs"], **task["outputs"]}


def least_traffic(task, size):
    """Bytes of all tensors, of a paged cache only the pages listed."""
    total = 0
    for spec in tensors(task).values():
        if spec["shape"] is not None:
            shape = ["num_kv_indices" if axis == "num_pages" else axis for axis in spec["shape"]]
            total += math.prod(size[axis] for axis in shape) * BYTES[spec["dtype"]]
    return total


def operations(facts, size):
    """Two for each multiply-add; None where the workload does not say how long its sequences are."""
    family = facts["op_family"]
    if family.startswith("gemm"):
        return 2 * size["M"] * size["N"] * size["K"]
    if family.startswith("mha"):
        pairs = size["B"] * size["H"] * size["S"] ** 2
    elif family == "gqa_decode":
        pairs = size["num_qo_heads"] * size["num_kv_indices"]
    elif size["len_indptr"] == 2:
        pairs = size["num_qo_heads"] * size["total_q"] * size["num_kv_indices"]
    else:
        return None
    return PRODUCTS[family] * 2 * facts["head_dim"] * pairs // (2 if facts["causal"] else 1)


def check_inputs(task, workload, facts, path):
    if list(workload["inputs"]) != list(task["inputs"]):
        fault(path, f"inputs are {list(workload['inputs'])}, in task.json {list(task['inputs'])}")
        return
    kinds = set()
    for name, given in workload["inputs"].items():
        spec = task["inputs"][name]
        kinds.add(given["type"])
        if (given["type"] == "scalar") != (spec["shape"] is None):
            fault(path, f"input {name}: a scalar is an input without shape, and the other way round")
        if given["type"] == "random" and spec["dtype"] == "int32":
            fault(path, f"input {name}: indices drawn at random would point anywhere")
        if given["type"] == "safetensors":
            stem = f"blob/workloads/{task['op_type']}/{task['name']}/{task['name']}_"
            ids = (workload["uuid"], workload["uuid"].replace("-", ""))
            if given["path"] not in [f"{stem}{text}.safetensors" for text in ids] or given["tensor_key"] != name:
                fault(path, f"input {name}: {given['path']} should be {stem}<uuid>.safetensors, the key the input's name")
            if (ROOT / "tasks" / given["path"]).exists() != facts["inputs_available"]:
                fault(path, f"input {name}: facts.json says inputs_available is {facts['inputs_available']}")
        elif given["type"] == "random" and facts["inputs_available"]:
            fault(path, f"input {name}: what is drawn without a seed is not available")
    if not kinds <= {"random", "scalar", "safetensors"} or ("safetensors" in kinds) != (facts["inputs_kind"] == "safetensors"):
        fault(path, f"has inputs of kind {sorted(kinds)}, facts.json says {facts['inputs_kind']}")


def check_uuid(task, workload, facts, path):
    """The UUIDs of published backward workloads (prepare_mha_bwd.py of PTXBench) and of ours follow from names, the others are drawn at random."""
    if facts["op_family"] == "mha_backward" or facts["paper_set"] == "other":
        axis = "M" if facts["op_family"].startswith("gemm") else "S"
        origin = "ptxseal" if facts["paper_set"] == "other" else "accrl"
        name = f"{origin}://{task['name']}/{axis}={workload['axes'][axis]}"
        if facts["uuid_name"] != name:
            fault(path, f"uuid_name in facts.json is {facts['uuid_name']}, it should be {name}")
        if workload["uuid"] != str(uuid.uuid5(uuid.NAMESPACE_URL, name)):
            fault(path, f"uuid {workload['uuid']} is not uuid5(NAMESPACE_URL, \"{name}\")")
    elif facts["uuid_name"] is not None or uuid.UUID(workload["uuid"]).version != 4:
        fault(path, f"uuid {workload['uuid']} is neither drawn at random nor derived from a name")


def check_small(task, rows, facts, path):
    """Our small workload: the published one but for the size of its variable axis, its UUID from its name."""
    if facts["op_family"].startswith("gqa"):
        if facts["small_workload"] is not None or len(rows) != 1:
            fault(path, "the GQA tasks have no small workload")
        return
    axis, size = ("M", 256) if facts["op_family"].startswith("gemm") else ("S", 512)
    name = f"ptxseal://{task['name']}/{axis}={size}"
    published, small = (row["workload"] for row in rows)
    if small["uuid"] != str(uuid.uuid5(uuid.NAMESPACE_URL, name)) or small["uuid"] != facts["small_workload"]:
        fault(path, f"the small workload's uuid is {small['uuid']}, small_workload in facts.json is {facts['small_workload']}, "
                    f"both should be uuid5(NAMESPACE_URL, \"{name}\")")
    if small["axes"] != {**published["axes"], axis: size}:
        fault(path, f"the small workload's axes are {small['axes']}, they should be the published one's with {axis}={size}")
    check_inputs(task, small, facts, path)


def check_groups(task, size, path):
    """Scales come one for 128 elements, and task.json says so."""
    for groups, axis in (("G", "K"), ("P", "N")):
        if groups in size and (size[groups] * 128 != size[axis] or f"{axis} == 128 * {groups}" not in task["constraints"]):
            fault(path, f"{groups}={size[groups]} is not {axis}={size[axis]} / 128, or constraints do not say so")


def check_reference(task, path):
    """A top-level run that takes the inputs in their order."""
    runs = [node for node in ast.parse(task["reference"]).body if isinstance(node, ast.FunctionDef) and node.name == "run"]
    if [argument.arg for node in runs for argument in node.args.args] != list(task["inputs"]):
        fault(path, f"reference has no run({', '.join(task['inputs'])})")


def check_facts(task, workload, facts, fields, path):
    if list(facts) != fields:
        fault(path, f"fields are not those of docs/tasks.md, in that order: {sorted(set(facts) ^ set(fields)) or 'order differs'}")
        return
    for field, value in facts.items():
        if isinstance(value, (float, list, dict)):
            fault(path, f"{field} is neither text, integer, boolean nor null")
    size = sizes(task, workload, path)
    said = {
        "task": task["name"],
        "workload": workload["uuid"],
        "causal": "_causal" in task["name"],
        "flops": operations(facts, size),
        "min_bytes": least_traffic(task, size),
        "head_dim": size.get("D", size.get("d", size.get("head_dim"))),
        "q_heads": size.get("H", size.get("num_qo_heads")),
        "kv_heads": size.get("H", size.get("num_kv_heads")),
        "baseline_library": "DeepGEMM" if "fp8" in facts["op_family"] else {"gemm": "cuBLAS", "mha": "cuDNN", "gqa": "FlashInfer"}[facts["op_family"].split("_")[0]],
        "trials": 1 if facts["op_family"] == "mha_backward" else 3,
    }
    # GQA's log-sum-exp is FlashInfer's, base 2; MHA's is cuDNN's, base e.
    said["lse_base"] = {"gemm": None, "mha": "e", "gqa": "2"}[facts["op_family"].split("_")[0]]
    shape = dict(item.split("=") for item in facts["shape"].split(", "))
    said["shape"] = ", ".join(f"{axis}={size.get(axis)}" for axis in shape)
    for field, value in said.items():
        if facts[field] != value:
            fault(path, f"{field} is {facts[field]!r}, task.json and workloads.jsonl give {value!r}")
    variable = [axis for axis in workload["axes"] if task["axes"].get(axis, {}).get("type") == "var"]
    name = task["name"] + "".join(f"_{axis}{size[axis]}" for axis in variable)
    if facts["workload_name"] != name:
        fault(path, f"workload_name is {facts['workload_name']}, the axes give {name}")
    for number, formula in (("flops", "flops_formula"), ("min_bytes", "min_bytes_formula")):
        if facts[number] is None:
            continue
        try:
            value = eval(facts[formula], {"__builtins__": {}}, dict(size))
        except (SyntaxError, NameError):
            fault(path, f"{formula} is not a formula of axes")
            continue
        if value != facts[number]:
            fault(path, f"{formula} gives {value}, {number} is {facts[number]}")


def check(folder, fields):
    path = folder.relative_to(ROOT)
    found = {file.name for file in folder.iterdir()}
    if found != FILES:
        fault(path, f"has {sorted(found)}, it should have {sorted(FILES)}")
        return None
    texts = {name: (folder / name).read_text(encoding="utf-8") for name in FILES}
    lines = texts["workloads.jsonl"].splitlines()
    if len(lines) not in (1, 2) or not all(text.endswith("}\n") for text in texts.values()):
        fault(path, "workloads.jsonl is one line or two, and every file ends with a newline")
        return None
    task, facts, rows = strict(texts["task.json"]), strict(texts["facts.json"]), [strict(line) for line in lines]
    for row in rows:
        if set(row) != {"definition", "workload", "solution", "evaluation"} or row["solution"] or row["evaluation"]:
            fault(path, "workloads.jsonl: a row has definition and workload, solution and evaluation are null")
            return None
        if not folder.name == task["name"] == row["definition"]:
            fault(path, "the directory, task.json and workloads.jsonl name different tasks")
    for name, spec in tensors(task).items():
        for axis in spec["shape"] or []:
            if axis not in task["axes"]:
                fault(path, f"task.json: {name} has the unknown axis {axis}")
    workload = rows[0]["workload"]
    check_inputs(task, workload, facts, path / "workloads.jsonl")
    check_uuid(task, workload, facts, path / "workloads.jsonl")
    check_small(task, rows, facts, path / "workloads.jsonl")
    check_reference(task, path / "task.json")
    check_groups(task, sizes(task, workload, path), path / "task.json")
    check_facts(task, workload, facts, fields, path / "facts.json")
    return facts


def main():
    fields = documented_fields()
    known = {}
    for folder in sorted((ROOT / "tasks").iterdir()):
        if folder.name == "prompts":  # what models are asked
            continue
        try:
            facts = check(folder, fields)
        except (KeyError, TypeError, ValueError, SyntaxError) as error:
            fault(folder.relative_to(ROOT), f"cannot be read: {type(error).__name__} {error}")
            continue
        if facts:
            known[facts["task"]] = facts
    if len({facts["workload"] for facts in known.values()}) != sum(COUNTS.values()):
        fault("tasks", f"has {len(known)} tasks with their own workloads, it should have {sum(COUNTS.values())}")
    for name, count in COUNTS.items():
        if sum(facts["paper_set"] == name for facts in known.values()) != count:
            fault("tasks", f"the {name} tasks should be {count}")
    print("\n".join(faults) or f"{len(known)} tasks hold")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
