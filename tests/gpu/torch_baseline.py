#!/usr/bin/env python3
"""PyTorch's matmul and cuDNN attention on the shapes of tasks/, timed as tests/gpu/test_baseline.c times ours: event time, cold L2, median of 20.

usage: torch_baseline.py [--checkout DIR] [--beside RECORDS] [TASK...]

Prints a JSON record a task. With --beside, RECORDS is what test_baseline wrote in the same session on the same device: each record then has ours and the ratio
ours / PyTorch's. PyTorch runs what cuDNN's heuristic names first, while ours is the fastest of several: first_ratio is the ratio for the first. The exit code is
1 where ours is more than 5 % slower (--tolerance), or more than 5 % faster without such a choice to explain it. Exit 77: no PyTorch with a CUDA device here.
The device rests between calls, as in test_baseline.c, so that the power cap holds neither side back.
"""
import argparse
import json
import pathlib
import statistics
import sys
import time

TASKS = ["gemm_n7168_k5120"] + [
    f"mha_{kind}_d{d}{causal}" for d in (128, 64, 96) for kind in ("with_lse", "bwd") for causal in ("", "_causal")
] + ["mha_with_lse_d256", "mha_with_lse_d256_causal", "gemm_n4096_k14336", "gemm_n128_k2048"]
WARM_CALLS, TIMED_CALLS = 5, 20
FLUSH_BYTES = 256 << 20
REST_SECONDS = 0.025


def axes_of(checkout, task):
    """Sizes of the axes in the task's published workload, constants included; the backward definitions' d is D."""
    folder = checkout / "tasks" / task
    definition = json.loads((folder / "task.json").read_text())
    published = json.loads((folder / "facts.json").read_text())["workload"]
    workloads = [json.loads(line)["workload"] for line in (folder / "workloads.jsonl").read_text().splitlines()]
    sizes = {name: axis["value"] for name, axis in definition["axes"].items() if axis["type"] == "const"}
    sizes.update(next(workload["axes"] for workload in workloads if workload["uuid"] == published))
    return {name.upper(): size for name, size in sizes.items()}


def call_of(torch, task, axes):
    """A function without arguments that does the task once, and the FLOPs of the task's convention."""
    def random(*shape):
        return torch.randn(shape, device="cuda", dtype=torch.bfloat16)

    if task.startswith("gemm_fp8"):
        # Block scaling of PyTorch's own operator, which calls cuBLASLt: A by 1 x 128, B by 1 x 128 or 128 x 128.
        a, b = (random(axes[rows], axes["K"]).to(torch.float8_e4m3fn) for rows in ("M", "N"))
        of_a = torch.rand(axes["G"], axes["M"], device="cuda").t()
        of_b = torch.rand(axes["G"], axes["N"], device="cuda") if "1d1d" in task else torch.rand(axes["P"], axes["G"], device="cuda").t()
        product = lambda: torch._scaled_mm(a, b.t(), scale_a=of_a, scale_b=of_b, out_dtype=torch.bfloat16)  # noqa: E731
        return product, 2 * axes["M"] * axes["N"] * axes["K"]
    if task.startswith("gemm"):
        a, b = random(axes["M"], axes["K"]), random(axes["N"], axes["K"])
        return (lambda: torch.matmul(a, b.t())), 2 * axes["M"] * axes["N"] * axes["K"]
    causal, backward = task.endswith("_causal"), "_bwd_" in task
    q, k, v = (random(axes["B"], axes["H"], axes["S"], axes["D"]).requires_grad_(backward) for _ in range(3))
    flops = (10 if backward else 4) * axes["B"] * axes["H"] * axes["S"] ** 2 * axes["D"] / (2 if causal else 1)
    if not backward:
        # The operator itself, with the statistics that the tasks ask for.
        forward = torch.ops.aten._scaled_dot_product_cudnn_attention
        return (lambda: forward(q, k, v, None, True, 0.0, causal, False)), flops
    from torch.nn.attention import SDPBackend, sdpa_kernel

    with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
        o = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
    gradient = random(*o.shape)
    return (lambda: torch.autograd.grad(o, (q, k, v), gradient, retain_graph=True)), flops


def times_of(torch, call):
    flush = torch.empty(FLUSH_BYTES, dtype=torch.int8, device="cuda")
    times = []
    for i in range(-WARM_CALLS, TIMED_CALLS):
        before, after = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        time.sleep(REST_SECONDS)
        flush.zero_()
        # PyTorch takes longer to start a call than the flush does: a pause on the device of about a millisecond keeps the host out of the time.
        torch.cuda._sleep(2_000_000)
        before.record()
        result = call()
        after.record()
        torch.cuda.synchronize()
        del result
        if i >= 0:
            times.append(before.elapsed_time(after))
    return times


def read_ours(path):
    records = (json.loads(line) for line in pathlib.Path(path).read_text().splitlines())
    return {record["task"]: record for record in records if "task" in record}


def first_milliseconds(record):
    """What the heuristic's first would have taken: by its time in the trial beside the chosen one's."""
    tried, chosen = record["facts"]["tried"], record["facts"]["chosen"]
    if chosen == 0 or not tried[0].get("nanoseconds"):
        return record["milliseconds"]
    return record["milliseconds"] * statistics.median(tried[0]["nanoseconds"]) / statistics.median(tried[chosen]["nanoseconds"])


def main():
    parser = argparse.ArgumentParser(description="PyTorch's own times for the tasks that have a baseline")
    parser.add_argument("--checkout", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--beside")
    parser.add_argument("--tolerance", type=float, default=0.05)
    parser.add_argument("tasks", nargs="*")
    options = parser.parse_args()
    try:
        import torch
    except ImportError:
        sys.exit(skip("PyTorch is not installed"))
    if not torch.cuda.is_available():
        sys.exit(skip("PyTorch sees no CUDA device"))
    ours = read_ours(options.beside) if options.beside else {}
    tasks = options.tasks or list(ours) or TASKS
    print(json.dumps({"torch": torch.__version__, "cudnn": torch.backends.cudnn.version(), "cuda": torch.version.cuda,
                      "device": torch.cuda.get_device_name(0)}))
    far = 0
    for task in tasks:
        call, flops = call_of(torch, task, axes_of(options.checkout, task))
        times = times_of(torch, call)
        milliseconds = statistics.median(times)
        record = {"task": task, "milliseconds": round(milliseconds, 6), "tflops": round(flops / milliseconds * 1e-9, 1),
                  "nanoseconds": [round(t * 1e6) for t in times]}
        if task in ours:
            ratio = ours[task]["milliseconds"] / milliseconds
            first = first_milliseconds(ours[task]) / milliseconds
            record["ours_milliseconds"] = round(ours[task]["milliseconds"], 6)
            record["ratio"], record["first_ratio"] = round(ratio, 4), round(first, 4)
            far += ratio > 1 + options.tolerance or first < 1 - options.tolerance
        print(json.dumps(record), flush=True)
        del call
        torch.cuda.empty_cache()
    sys.exit(1 if far else 0)


def skip(why):
    print(f"skipped: {why}")
    return 77


if __name__ == "__main__":
    main()
