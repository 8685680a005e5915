# One forged variant of a committed record: python3 forged.py VARIANT RECORD TURNS. Speeds of the ledger are forged along.
import json, sys
from math import comb

variant, name, turns = sys.argv[1:]
r = json.load(open(name))
t = r["timing"]
col = {c: i for i, c in enumerate(t["columns"])} if t else {}


def nine(x):
    return "%.9g" % x


def median(v):
    v = sorted(v)
    n = len(v)
    return v[n // 2] if n % 2 else (v[n // 2 - 1] + v[n // 2]) / 2


def interval(v, said):
    v, rank = sorted(v), int(said["rank"])
    n = len(v)
    said.update(count=n, median=nine(median(v)), low=nine(v[rank - 1]), high=nine(v[n - rank]))


# Medians and intervals anew from the samples that count, as an honest record has them. The rank is that of base/interval.h.
def again():
    rows = t["samples"][t["warm_up_pairs"]:]
    t["throttled"] = sum(x[col["throttled"]] for x in rows)
    count = [x for x in rows if not x[col["throttled"]]]
    c, b = [x[col["candidate_ns"]] for x in count], [x[col["baseline_ns"]] for x in count]
    ch, bh = [x[col["candidate_hz"]] for x in count], [x[col["baseline_hz"]] for x in count]
    n, k = len(count), 0
    if n > 0:
        below = comb(n, 0) / 2**n
        while below <= 0.025:
            k += 1
            below += comb(n, k) / 2**n
    for m, v in (("speedup", [y / x for x, y in zip(c, b)]), ("cycles", [y * q / (x * p) for x, y, p, q in zip(c, b, ch, bh)]), ("candidate_ns", c), ("baseline_ns", b)):
        t[m]["rank"] = k
        interval(v, t[m])
    t["candidate_hz"], t["baseline_hz"] = round(median(ch)), round(median(bh))
    w = lambda s: median([x[col[s + "_wall_ns"]] - x[col[s + "_ns"]] for x in count])
    t["hidden_ns"] = round(w("candidate") - w("baseline"))


def samples():
    for x in t["samples"]:
        x[col["candidate_ns"]] //= 100
    again()


def control():
    for x in t["control_samples"]:
        x[col["candidate_ns"]] //= 2
    interval([x[col["baseline_ns"]] / x[col["candidate_ns"]] for x in t["control_samples"]], t["control"])


def trials(**said):
    for x in r["trials"]:
        x.update(said)


def outputs(**said):
    for x in r["trials"]:
        for o in x["outputs"]:
            o.update(said)


def one_trial():
    r["trials"] = r["trials"][:1]
    r["accounting"].update(passed=1, not_run=r["accounting"]["planned"] - 1)


def right():
    r["outcome"].update(label="correct", rule=None, strict="pass", published="pass", published_passed=r["outcome"]["published_trials"])
    trials(strict="pass", published="pass")
    outputs(strict="pass", published="pass", why="")
    r["accounting"].update(passed=len(r["trials"]), failed=0, not_run=0, planned=len(r["trials"]), failure_rate_bound=nine(3 / len(r["trials"])))


def warm_up():
    t["warm_up_pairs"] = (len(t["samples"]) - 8) // 8 * 8
    again()


def throttled():
    rows = t["samples"][t["warm_up_pairs"]:]
    worst = sorted(rows, key=lambda x: x[col["baseline_ns"]] / x[col["candidate_ns"]])[: len(rows) // 2]
    for x in worst:
        x[col["throttled"]] = 1
    again()


def listed():
    k = sorted(r["inputs"][0]["sha256"])[0]
    r["inputs"][0]["sha256"][k] = "0" * 64


def stand_in():
    r["device"]["name"] = "ptxseal stand-in"


def axes():
    for k in r["problem"]["axes"]:
        r["problem"]["axes"][k] = 1


# A record of the tests' stand-in for a device as one that a device could have made: names, facts, time on the host's clock, a timer that is not always right; medians and intervals stay.
def disguise():
    r["stand_in"] = False
    r["device"].update(name="a device", memory_bus_bits=4096, memory_clock_khz=3000000)
    if r["worker"]:
        r["worker"]["stand_in"] = r["worker"]["device"]["stand_in"] = False
        r["worker"]["device"]["name"] = "a device"
    if not t:
        return
    t["roofline"].update(bus_bits=4096, memory_hz=3000000000, bytes_per_s=3072000000000)
    t["samples"] = t["samples"][:8] + t["samples"][t["warm_up_pairs"]:]
    t.update(warm_up_pairs=8, pairs=len(t["samples"]), elapsed_ms=10**6)
    for k in ("all_ms", "timing_ms"):
        r["took"][k] = 10**7 if k == "all_ms" else 10**6
    for x in t["samples"] + t["control_samples"]:
        x[col["candidate_wall_ns"]] += 2000000
        x[col["baseline_wall_ns"]] += 2000000
    # So few differ that no interval moves; of eight samples, which is all that a busy machine may have had time for, the extremes are its ends.
    for i, x in enumerate(t["samples"][-3:] if len(t["samples"]) >= 8 + 16 else []):
        for side in ("candidate", "baseline"):
            x[col[side + "_ns"]] += (1, -1, 0)[i]


{
    "disguise": disguise,
    "samples": samples,
    "control": control,
    "suspect": lambda: (control(), t.update(suspect=[])),
    "hidden": lambda: t.update(hidden_ns=5000000),
    "fate": lambda: trials(fate="memory_error"),
    "guards": lambda: trials(guard_bytes_changed=99),
    "inputs": lambda: trials(input_bytes_changed=7),
    "outputs fail": lambda: outputs(strict="fail", published="fail"),
    "no outputs": lambda: trials(outputs=[]),
    "fewer outputs": lambda: [x["outputs"].pop() for x in r["trials"]],
    "one trial": one_trial,
    "fewer planned": lambda: (r["trials"].__delitem__(slice(40, None)), r["accounting"].update(passed=40, planned=40, failure_rate_bound="0.075"),
                              r["outcome"].update({k: sum(x["values"] == "normal" for x in r["trials"]) for k in ("published_trials", "published_passed", "library_passed")})),
    "bound": lambda: r["accounting"].update(failure_rate_bound="1e-05"),
    "published": lambda: r["outcome"].update(published_passed=0, published_trials=36),
    "device name": stand_in,
    "worker": lambda: r["worker"].update(stand_in=True),
    "worker's device": lambda: r["worker"]["device"].update(stand_in=True),
    "no code": lambda: r.update(code=None),
    "no census": lambda: r["code"].update(census=[]),
    "no lines": lambda: r["evidence"].update(lines=[]),
    "share": lambda: r["evidence"].update(share="1", decoy=False),
    "listed": listed,
    "axes": axes,
    "warm-up": warm_up,
    "throttled": throttled,
    "memcheck state": lambda: r["memcheck"].update(state="clean ", errors=5),
    "memcheck errors": lambda: r["memcheck"].update(errors=5),
    "memcheck tool": lambda: r["memcheck"].update(tool=None),
    "memcheck skipped": lambda: r["memcheck"].update(state="skipped", errors=5),
    "strict unknown": lambda: (trials(strict="unknown"), outputs(strict="unknown"), r["outcome"].update(strict="unknown")),
    "published fail": lambda: r["outcome"].update(published="fail"),
    "right": right,
    "marks": lambda: (trials(strict="pass", published="pass"), outputs(strict="pass", published="pass")),
    "nothing": lambda: None,
}[variant]()
text = json.dumps(r, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"
open(name, "w").write(text)
lines = [json.loads(x) for x in open(turns)]
for x in lines:
    if (x["trajectory"], x["turn"]) != (r["trajectory"], r.get("turn", 0)):
        continue
    x["outcome"] = r["outcome"]["label"]
    if t:
        x["speedup"] = t["speedup"]["median"]
open(turns, "w").write("".join(json.dumps(x, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n" for x in lines))
