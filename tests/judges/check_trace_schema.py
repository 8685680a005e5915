#!/usr/bin/env python3
"""flashinfer-bench's own models accept tasks/*/task.json and workloads.jsonl, and lose nothing of them.

Its packages' __init__ import PyTorch, CUDA libraries and a GPU framework, none of which the models need. So the two packages are
entered here as bare directories, without running their __init__; the modules with the models are loaded unchanged.
usage: check_trace_schema.py [CHECKOUT]. Exit 0 they do, 1 they do not, 77 skipped: needs flashinfer-bench (--no-deps) and pydantic.
"""
import importlib.util
import json
import sys
import types
from pathlib import Path

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2])

spec = importlib.util.find_spec("flashinfer_bench")
if spec is None or importlib.util.find_spec("pydantic") is None:
    print("flashinfer-bench and pydantic are not installed here")
    sys.exit(77)
home = Path(spec.submodule_search_locations[0])
for name, path in (("flashinfer_bench", home), ("flashinfer_bench.data", home / "data")):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [str(path)]

from flashinfer_bench.data.definition import Definition  # noqa: E402
from flashinfer_bench.data.trace import Trace  # noqa: E402


def judge(path, model, text):
    """What the model makes of it holds all of it: unknown fields, which it drops, show here."""
    try:
        kept = model.model_validate_json(text)
    except ValueError as error:
        print(f"FAIL {path}: {' '.join(str(error).split())}")
        return 1, None
    if kept.model_dump(mode="json", exclude_unset=True) != json.loads(text):
        print(f"FAIL {path}: the model keeps only part of it")
        return 1, None
    return 0, kept


def main():
    failed = 0
    folders = sorted(path.parent for path in (ROOT / "tasks").glob("*/task.json"))
    for folder in folders:
        path = folder.relative_to(ROOT)
        bad, definition = judge(path / "task.json", Definition, (folder / "task.json").read_text(encoding="utf-8"))
        failed += bad
        for line in (folder / "workloads.jsonl").read_text(encoding="utf-8").splitlines():
            bad, row = judge(path / "workloads.jsonl", Trace, line)
            failed += bad
            if definition and row:
                try:  # its own computation of the shapes needs every variable axis
                    shapes = definition.get_input_shapes(row.workload.axes)
                    if len(shapes) != len(row.workload.inputs) or not row.is_workload_trace():
                        raise ValueError(f"is no workload of {definition.name}")
                except ValueError as error:
                    failed += 1
                    print(f"FAIL {path}/workloads.jsonl: {error}")
    print(f"{len(folders)} definitions read, {failed} faults")
    return 1 if failed or not folders else 0


if __name__ == "__main__":
    sys.exit(main())
