#!/usr/bin/env bash
# Do replays of one candidate agree on the speedup? The same candidates over and over on one card: cold, one after the other, after the card has worked for a while, after a rest.
# usage: tests/gpu/repeat.sh PROGRAM OUT [TASK/NAME...]
# PROGRAM: ptxseal, built with CUDA (`make portable`); OUT: a directory: repeat.csv (a line a replay), NAME-LINE.json.gz (its record). Without names: the wgmma-tma and plain candidates of both GEMMs.
# python3 with PyTorch makes the heat; without it those replays are left out, and it says so.
# Exits 0 if the speedups of each candidate lie within 1 % of each other, 1 if not.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: ${0##*/} PROGRAM OUT [TASK/NAME...]" >&2; exit 2; }
program=$(realpath -- "$1") out=$(realpath -- "$2")
shift 2
[ $# -gt 0 ] || set -- gemm_fp8_1d2d_n4096_k7168/{wgmma-tma,plain} gemm_n7168_k5120/{wgmma-tma,plain}
cd -- "$(dirname -- "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
line=0

once() { # WHEN TASK/NAME
	local into=$work/$line name=${2##*/} task=${2%/*}

	"$program" replay --brief --no-evidence --memcheck off --trials 5 --seconds 4 --run r --into "$into" --task "$task" --candidate "$name" >/dev/null || [ $? -eq 1 ]
	cp -- "$into/artifact/replays/r-$task/$name.json" "$work/one.json"
	python3 - "$1" "$2" "$work/one.json" >>"$out/repeat.csv" <<'END'
import json, sys
r = json.load(open(sys.argv[3]))
t, during = r["timing"], r["state"]["during"]
heat = [s["temperature_c"] for s in during]
print(",".join(str(x) for x in (sys.argv[1], sys.argv[2], r["outcome"]["label"], t["speedup"]["median"], t["cycles"]["median"], t["control"]["median"], t["baseline_ns"]["median"], t["candidate_ns"]["median"],
      t["baseline_hz"], t["candidate_hz"], t["pairs"], t["throttled"], r["worker"]["baseline"]["chosen"], r["worker"]["baseline"]["algorithm"]["tile_id"], r["worker"]["baseline"]["algorithm"]["stages_id"],
      min(heat), max(heat), max(s["power_mw"] for s in during))))
END
	gzip -9 <"$work/one.json" >"$out/${2//\//-}-$line.json.gz"
	tail -n 1 -- "$out/repeat.csv"
	line=$((line + 1))
}

all() { # WHEN NAME...
	local when=$1 name

	for name in "${@:2}"; do
		once "$when" "$name"
	done
}

heat() { # SECONDS
	python3 - "$1" <<'END'
import sys, time, torch
a = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
end = time.monotonic() + float(sys.argv[1])
while time.monotonic() < end:
    for _ in range(50):
        a @ a
    torch.cuda.synchronize()
END
}

echo 'when,candidate,outcome,speedup,cycles,control,baseline_ns,candidate_ns,baseline_hz,candidate_hz,pairs,throttled,algorithm,tile,stages,coolest_c,warmest_c,most_mw' >"$out/repeat.csv"
cat -- "$out/repeat.csv"
all cold "$@"
all next "$@"
all next "$@"
if python3 -c 'import torch' 2>/dev/null; then
	for name in "$@"; do
		heat 15
		once heated "$name"
	done
	all cooling "$@"
else
	echo 'no PyTorch: nothing was heated'
fi
sleep 20
all rested "$@"
python3 - "$out/repeat.csv" <<'END'
import csv, sys
seen = {}
for row in csv.DictReader(open(sys.argv[1])):
    seen.setdefault(row["candidate"], []).append(row)
wide = False
for name, rows in seen.items():
    for what in "speedup", "cycles":
        values = [float(row[what]) for row in rows]
        spread = (max(values) / min(values) - 1) * 100
        wide = wide or (what == "speedup" and spread > 1)
        print(f"{name} {what}: {min(values):.4f} to {max(values):.4f}, {spread:.2f} % apart in {len(values)} replays")
sys.exit(wide)
END
