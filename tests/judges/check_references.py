#!/usr/bin/env python3
"""The references in tasks/*/task.json compute what they should.

Runs each on small inputs on the CPU and compares with a separate float64 computation: numpy, row by row, for the forward tasks;
PyTorch's autograd of a plain softmax attention for the gradients. Once in float32, where only a wrong formula misses 1e-5, once
in the declared types, where names, shapes and types of the outputs are checked too.
usage: check_references.py [CHECKOUT]. Exit 0 they do, 1 they do not, 77 skipped: needs torch and numpy.
"""
import json
import math
import sys
from pathlib import Path

try:
    import numpy as np
    import torch
except ImportError as missing:
    print(f"{missing} (needs PyTorch and numpy; CPU builds do)")
    sys.exit(77)

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2])
TOLERANCE = {torch.float32: 1e-5, torch.bfloat16: 2e-2}  # of max(1, |expected|)


def draw(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def rounded(tensor, dtype):
    """As the reference sees it: in its type, and the same value in float64 for the computation beside it."""
    small = tensor.to(dtype)
    return small, small.double()


def attend(query, keys, values, scale):
    """One query row: its output and ln sum exp of its scores."""
    scores = [scale * math.fsum(float(q) * float(k) for q, k in zip(query, key)) for key in keys]
    largest = max(scores)
    weights = [math.exp(score - largest) for score in scores]
    total = math.fsum(weights)
    output = sum(weight / total * value for weight, value in zip(weights, values))
    return output, largest + math.log(total)


def forward(q, k, v, scale, causal):
    """One head, rows in order; the queries are the last of the keys' positions."""
    first = len(k) - len(q) + 1
    rows = [attend(row, k[: first + i], v[: first + i], scale) if causal else attend(row, k, v, scale) for i, row in enumerate(q)]
    return np.array([row[0] for row in rows]), np.array([row[1] for row in rows])


def gemm(dtype, causal):
    (a, a64), (b, b64) = rounded(draw(5, 16), dtype), rounded(draw(7, 16), dtype)
    size = {"M": 5, "N": 7, "K": 16}
    return size, [a, b], [np.einsum("mk,nk->mn", a64.numpy(), b64.numpy())]


def fp8(dtype, blocks):
    """Values as FP8 has them, which every type here holds; this PyTorch may have no FP8 type. Scales are powers of two, so that fp32 sums are exact, and rounded like exact ones."""
    m, n, k = 5, 256, 384
    a, b = (torch.randint(-15, 16, shape).double() / 8 for shape in ((m, k), (n, k)))
    of_a, of_b = (2.0 ** torch.randint(-2, 3, shape).float() for shape in ((k // 128, m), (n // 128, k // 128) if blocks else (k // 128, n)))
    expected = np.empty((m, n))
    for i in range(m):
        for j in range(n):
            parts = [a[i, g * 128 : g * 128 + 128] @ b[j, g * 128 : g * 128 + 128] for g in range(k // 128)]
            expected[i, j] = math.fsum(float(part) * float(of_a[g, i]) * float(of_b[j // 128, g] if blocks else of_b[g, j]) for g, part in enumerate(parts))
    size = {"M": m, "N": n, "K": k, "G": k // 128, "P": n // 128}
    return size, [a.to(dtype), b.to(dtype), of_a, of_b], [expected]


def fp8_1d1d(dtype, causal):
    return fp8(dtype, False)


def fp8_1d2d(dtype, causal):
    return fp8(dtype, True)


def mha(dtype, causal, dim):
    B, H, S = 2, 3, 9
    pairs = [rounded(draw(B, H, S, 8), dtype) for _ in range(3)]
    q, k, v = (pair[1].numpy() for pair in pairs)
    output, lse = np.empty((B, H, S, 8)), np.empty((B, H, S))
    for b in range(B):
        for h in range(H):
            output[b, h], lse[b, h] = forward(q[b, h], k[b, h], v[b, h], 1 / math.sqrt(8), causal)
    return {"B": B, "H": H, "S": S, dim: 8}, [pair[0] for pair in pairs], output, lse


def mha_forward(dtype, causal):
    size, given, output, lse = mha(dtype, causal, "D")
    return size, given, [output, lse]


def mha_backward(dtype, causal):
    size, given, output, lse = mha(dtype, causal, "d")
    q, k, v = (tensor.double().requires_grad_(True) for tensor in given)
    gradient, gradient64 = rounded(draw(*q.shape), dtype)
    scores = q @ k.transpose(-1, -2) / math.sqrt(8)
    if causal:
        seen = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
        scores = torch.where(seen, scores, torch.tensor(-math.inf, dtype=torch.float64))
    (torch.softmax(scores, dim=-1) @ v).backward(gradient64)
    inputs = given + [torch.from_numpy(output).to(dtype), gradient, torch.from_numpy(lse).float()]
    return size, inputs, [tensor.grad.numpy() for tensor in (q, k, v)]


def gqa(q, q_lengths, sequences, scale, causal):
    """sequences: keys and values of each, [tokens, kv heads, dim]."""
    group = q.shape[1] // sequences[0][0].shape[1]
    output, lse = np.zeros(q.shape), np.full(q.shape[:2], -math.inf)
    start = 0
    for length, (keys, values) in zip(q_lengths, sequences):
        rows = slice(start, start + length)
        start += length
        for h in range(q.shape[1] if length and len(keys) else 0):
            output[rows, h], natural = forward(q[rows, h], keys[:, h // group], values[:, h // group], scale, causal)
            lse[rows, h] = natural / math.log(2)
    return [output, lse]


def offsets(lengths):
    return torch.tensor([0, *np.cumsum(lengths)], dtype=torch.int32)


def paged(dtype, q_lengths, kv_lengths):
    """Inputs of the two paged tasks, pages scattered over a cache larger than needed."""
    heads, kv_heads, dim, pages = 6, 2, 8, 40
    q, q64 = rounded(draw(sum(q_lengths), heads, dim), dtype)
    (k, k64), (v, v64) = (rounded(draw(pages, 1, kv_heads, dim), dtype) for _ in range(2))
    indices = torch.randperm(pages)[: sum(kv_lengths)]
    starts = offsets(kv_lengths)
    parts = [indices[starts[i] : starts[i + 1]] for i in range(len(kv_lengths))]
    sequences = [(k64[part, 0].numpy(), v64[part, 0].numpy()) for part in parts]
    size = {"num_qo_heads": heads, "num_kv_heads": kv_heads, "head_dim": dim, "page_size": 1, "num_pages": pages,
            "len_indptr": len(starts), "num_kv_indices": len(indices), "batch_size": len(q_lengths), "total_q": sum(q_lengths)}
    return size, (q, k, v), q64.numpy(), sequences, starts, indices.int()


def gqa_paged_decode(dtype, causal):
    size, (q, k, v), q64, sequences, starts, indices = paged(dtype, [1, 1, 1, 1], [5, 0, 1, 11])
    return size, [q, k, v, starts, indices, 0.3], gqa(q64, [1, 1, 1, 1], sequences, 0.3, False)


def gqa_paged_prefill(dtype, causal):
    q_lengths = [3, 0, 4, 1]
    size, (q, k, v), q64, sequences, starts, indices = paged(dtype, q_lengths, [7, 2, 4, 9])
    return size, [q, k, v, offsets(q_lengths), starts, indices, 0.3], gqa(q64, q_lengths, sequences, 0.3, causal)


def gqa_ragged_prefill(dtype, causal):
    q_lengths, kv_lengths = [4, 0, 2, 5], [4, 3, 6, 5]
    heads, kv_heads, dim = 8, 2, 8
    q, q64 = rounded(draw(sum(q_lengths), heads, dim), dtype)
    (k, k64), (v, v64) = (rounded(draw(sum(kv_lengths), kv_heads, dim), dtype) for _ in range(2))
    starts = offsets(kv_lengths)
    sequences = [(k64[starts[i] : starts[i + 1]].numpy(), v64[starts[i] : starts[i + 1]].numpy()) for i in range(4)]
    size = {"num_qo_heads": heads, "num_kv_heads": kv_heads, "head_dim": dim, "len_indptr": 5, "total_q": len(q), "total_kv": len(k)}
    return size, [q, k, v, offsets(q_lengths), starts, 0.3], gqa(q64.numpy(), q_lengths, sequences, 0.3, causal)


CASES = {"gemm_fp8_1d1d": fp8_1d1d, "gemm_fp8_1d2d": fp8_1d2d, "gemm": gemm, "mha_with_lse": mha_forward, "mha_bwd": mha_backward, "gqa_paged_decode": gqa_paged_decode,
         "gqa_paged_prefill": gqa_paged_prefill, "gqa_ragged_prefill": gqa_ragged_prefill}


def check(task, case, dtype):
    """The faults found, and the largest error."""
    torch.manual_seed(20260819)
    size, given, expected = case(dtype, "_causal" in task["name"])
    code = {}
    exec(compile(task["reference"], task["name"], "exec"), code)
    result = code["run"](*given)
    result = result if isinstance(result, tuple) else (result,)
    if len(result) != len(task["outputs"]):
        return [f"gives {len(result)} outputs, declares {list(task['outputs'])}"], math.inf
    faults, worst = [], 0.0
    for (name, spec), got, want in zip(task["outputs"].items(), result, expected):
        if list(got.shape) != [size[axis] for axis in spec["shape"]]:
            faults.append(f"{name} has shape {list(got.shape)}, {spec['shape']} is declared")
            continue
        if dtype is torch.bfloat16 and str(got.dtype) != f"torch.{spec['dtype']}":
            faults.append(f"{name} has type {got.dtype}, {spec['dtype']} is declared")
        if dtype is torch.float32 and got.dtype is torch.bfloat16:
            want = torch.from_numpy(want).to(got.dtype).double().numpy()  # a reference that rounds whatever it is given
        got = got.double().numpy()
        same = got == want  # also where both are -inf: a row without keys
        error = float(np.where(same, 0, np.abs(np.where(same, 0, got) - np.where(same, 0, want)) / np.maximum(1, np.abs(want))).max())
        worst = max(worst, error)
        if not error <= TOLERANCE[dtype]:
            faults.append(f"{name} is off by {error:.2e} in {str(dtype)[6:]}, allowed is {TOLERANCE[dtype]:.0e}")
    return faults, worst


def main():
    failed = 0
    paths = sorted((ROOT / "tasks").glob("*/task.json"))
    for path in paths:
        task = json.loads(path.read_text(encoding="utf-8"))
        case = next(function for prefix, function in CASES.items() if task["name"].startswith(prefix))
        worst = []
        for dtype in TOLERANCE:
            faults, error = check(task, case, dtype)
            worst.append(error)
            for text in faults:
                failed += 1
                print(f"FAIL tasks/{task['name']}/task.json: reference: {text}")
        print(f"{task['name']}: largest error {worst[0]:.1e} in float32, {worst[1]:.1e} in bfloat16")
    print(f"{len(paths)} references, {failed} faults")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
