#!/usr/bin/env python3
"""flashinfer-bench itself loads a data set: its TraceSet.from_path reads every file of it, and its models lose nothing of any.

Its packages' __init__ import PyTorch, CUDA libraries and a GPU framework, none of which loading needs: the packages are entered as bare
directories, and torch and safetensors, which trace_set.py imports for tensors alone, are empty modules.
usage: check_trace_set.py DIR. Exit 0 it does, 1 it does not, 77 skipped: needs flashinfer-bench (--no-deps) and pydantic.
"""
import importlib.util
import json
import sys
import types
from pathlib import Path

ROOT = Path(sys.argv[1])

spec = importlib.util.find_spec("flashinfer_bench")
if spec is None or importlib.util.find_spec("pydantic") is None:
    print("flashinfer-bench and pydantic are not installed here")
    sys.exit(77)
home = Path(spec.submodule_search_locations[0])
for name, path in (("flashinfer_bench", home), ("flashinfer_bench.data", home / "data")):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [str(path)]
for name in ("torch", "safetensors", "safetensors.torch"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["safetensors"].torch = sys.modules["safetensors.torch"]
sys.modules["torch"].Tensor = object

from flashinfer_bench.data.definition import Definition  # noqa: E402
from flashinfer_bench.data.solution import Solution  # noqa: E402
from flashinfer_bench.data.trace import Trace  # noqa: E402
from flashinfer_bench.data.trace_set import TraceSet  # noqa: E402


def texts(folder, end):
    for path in sorted((ROOT / folder).rglob("*" + end)):
        text = path.read_text(encoding="utf-8")
        for part in text.splitlines() if end == ".jsonl" else [text]:
            yield path.relative_to(ROOT), part


def faults():
    """What the models make of a file holds all of it: unknown fields, which they drop, show here."""
    for folder, end, model in (("definitions", ".json", Definition), ("solutions", ".json", Solution), ("workloads", ".jsonl", Trace),
                               ("traces", ".jsonl", Trace)):
        for path, text in texts(folder, end):
            try:
                kept = model.model_validate_json(text)
            except ValueError as error:
                yield f"{path}: {' '.join(str(error).split())}"
                continue
            if kept.model_dump(mode="json", exclude_unset=True) != json.loads(text):
                yield f"{path}: the model keeps only part of it"


def main():
    found = list(faults())
    for fault in found:
        print("FAIL", fault)
    try:
        loaded = TraceSet.from_path(str(ROOT))
    except (ValueError, AssertionError) as error:
        print("FAIL it does not load:", " ".join(str(error).split())[:200] or type(error).__name__)
        return 1
    solutions = {solution.name: solution for several in loaded.solutions.values() for solution in several}
    traces = [trace for several in loaded.traces.values() for trace in several]
    workloads = {trace.workload.uuid: trace.workload for several in loaded.workloads.values() for trace in several}
    for trace in traces:
        if trace.solution not in solutions or solutions[trace.solution].definition != trace.definition:
            found.append(trace.solution)
            print("FAIL a trace has no solution of its definition:", trace.solution)
        if workloads.get(trace.workload.uuid) != trace.workload:
            found.append(trace.solution)
            print("FAIL a trace's workload is not the definition's:", trace.workload.uuid)
    print(f"{len(loaded.definitions)} definitions, {len(workloads)} workloads, {len(solutions)} solutions, {len(traces)} traces, "
          f"{sum(trace.is_successful() for trace in traces)} of them passed; {len(found)} faults")
    return 1 if found or not traces else 0


if __name__ == "__main__":
    sys.exit(main())
