#!/usr/bin/env python3
"""The figures of measured candidates, read back from where their marks stand. Plain python3, no packages, nothing of ours but the ruler beside it.

What each figure has to show is computed here anew from the records, artifact/replays/RUN/CANDIDATE.json: of a candidate's page every pair's speedup, the clock of every call with what was throttled, the share of the work of
each family of instructions, and errors divided by the library's; of the report medians with their intervals. Then the SVG is measured: each mark, interval, bar and rule has to be where the number says, to TOLERANCE pixels, and
there may be none besides. The CSV of a figure of all candidates has to have the same numbers, to eight digits.
usage: check_measured.py REPORT (its directory) BUNDLE. Exit 0 all agree, 1 not (each fault a line on stdout).
"""
import json
import math
import re
import statistics
import sys
from collections import Counter, defaultdict
from pathlib import Path

sys.dont_write_bytecode = True  # a checkout stays as it is
import ruler  # noqa: E402
from ruler import BASELINE, TOLERANCE, Axis, check_panel, compare, fault, read_csv, rows_of, seen

REPORT, BUNDLE = Path(sys.argv[1]), Path(sys.argv[2])
CANDIDATES = 48          # of a figure of all
PAIRS = 400              # marks of a figure of samples, at most
LEAST_BAR = 0.004        # of its axis
SIZES = ["rms", "0.5", "0.9", "0.99", "0.999", "max"]
COLUMNS = ["relative RMS", "quantile 0.5", "0.9", "0.99", "0.999", "greatest"]


def at(record, path):
    for name in path.split("."):
        record = record.get(name) if isinstance(record, dict) else None
    return record


def number(record, path=None):
    """A number, or the decimal that a text is; NaN if there is none."""
    value = record if path is None else at(record, path)
    return float(value) if isinstance(value, (int, float, str)) and not isinstance(value, bool) else math.nan


def interval(record, path):
    return tuple(number(record, f"{path}.{end}") for end in ("median", "low", "high"))


class Pair:
    def __init__(self, row, place, when, warm_up, number_of):
        value = {name: row[place[name]] for name in ("candidate_ns", "baseline_ns", "candidate_wall_ns", "baseline_wall_ns", "candidate_hz", "baseline_hz", "throttled")}
        self.number, self.at, self.warm_up, self.throttled = number_of, when, warm_up, value["throttled"] != 0
        self.ratio = value["baseline_ns"] / value["candidate_ns"]
        self.hz = {"candidate": value["candidate_hz"], "library": value["baseline_hz"]}
        self.took = (value["candidate_wall_ns"] + value["baseline_wall_ns"]) / 1e9


def pairs(record, which):
    rows, found, when = at(record, f"timing.{which}") or [], [], 0.0
    place = {name: i for i, name in enumerate(at(record, "timing.columns") or [])}
    for i, row in enumerate(rows):
        found.append(Pair(row, place, when, which == "samples" and i < number(record, "timing.warm_up_pairs"), i + 1))
        when += found[-1].took
    return found


def thinned(all_pairs, most):
    """Of so many in a row the median, warm-up and what follows apart."""
    each, found = -(-len(all_pairs) // most) if all_pairs else 1, []
    while each > 1 and all_pairs:
        some = [pair for pair in all_pairs[:each] if pair.warm_up == all_pairs[0].warm_up]
        one = some[0]
        one.ratio = statistics.median(pair.ratio for pair in some)
        one.throttled = any(pair.throttled for pair in some)
        one.hz = {side: statistics.median(pair.hz[side] for pair in some) for side in one.hz}
        found.append(one)
        all_pairs = all_pairs[len(some):]
    return found if each > 1 else all_pairs


def check_rules(name, where, panel, across, expected):
    """Dashed lines through the whole panel."""
    found = [line for line in panel.rules if len(line) == 2 and abs(line[0][0 if across else 1] - line[1][0 if across else 1]) < 0.01]
    compare(name, where, "rule", [(place,) for place in expected], [(line[0][0 if across else 1],) for line in found])


# ---- of one candidate ----

def check_samples(name, record, panels):
    wanted = [("candidate", "samples", "timing.speedup")] + ([("control", "control_samples", "timing.control")] if at(record, "timing.control_samples") else [])
    if len(panels) != len(wanted):
        fault(name, f"{len(panels)} panels of samples")
        return
    for panel, (where, which, median) in zip(panels, wanted):
        across, up, expected = Axis(name, panel, True, False), Axis(name, panel, False, False), defaultdict(list)
        for pair in thinned(pairs(record, which), PAIRS):
            kind = "throttled" if pair.throttled else "warm-up, not counted" if pair.warm_up else "counted"
            expected[kind].append((across(pair.number), up(pair.ratio)))
        check_panel(name, where, panel, expected)
        check_rules(name, where, panel, False, [up(value) for value in interval(record, median) if not math.isnan(value)])


def on_a_line(point, lines):
    for line in lines:
        for a, b in zip(line, line[1:]):
            length = math.dist(a, b)
            if length > 0 and math.dist(a, point) + math.dist(point, b) - length < 2 * TOLERANCE:
                return True
    return False


def check_clock(name, record, panels):
    panel = panels[0]
    across, up, marks = Axis(name, panel, True, False), Axis(name, panel, False, False), []
    shown = thinned(pairs(record, "samples"), PAIRS)
    for side in ("library", "candidate"):
        points = [(across(pair.at), up(pair.hz[side] / 1e9)) for pair in shown if pair.hz[side] > 0]
        marks += [(across(pair.at), up(pair.hz[side] / 1e9)) for pair in shown if pair.hz[side] > 0 and pair.throttled]
        lines = panel.lines[side]
        for point in points:
            if on_a_line(point, lines) or any(math.dist(point, corner) <= TOLERANCE for line in lines for corner in line):
                seen["clock", "point"] += 1
            else:
                fault(name, f"{side}: the line misses {point}")
        for line in lines:
            for corner in line:
                if all(math.dist(point, corner) > TOLERANCE for point in points):
                    fault(name, f"{side}: a line to {corner}, where no call is")
    compare(name, "throttled", "mark", marks, panel.marks["throttled"])
    if set(panel.lines) - {"library", "candidate"} or set(panel.marks) - {"throttled"}:
        fault(name, f"series {sorted(set(panel.lines) | set(panel.marks))}")
    check_rules(name, "clock", panel, False, [up(value / 1e9) for value in [number(record, "timing.roofline.sm_hz")] if not math.isnan(value)])


def families(record):
    found = {}
    for line in at(record, "evidence.lines") or []:
        one = found.setdefault(line["family"], [0.0, 0.0, True])
        one[2] = one[2] and isinstance(line.get("operations"), (int, float))
        one[0] += line["operations"] if isinstance(line.get("operations"), (int, float)) else 0
        one[1] += line.get("executed") or 0
    return found


def check_bars(name, where, panel, across, expected):
    """expected: (value, pixels of the row, of half a bar)"""
    floor = LEAST_BAR * (panel.right - panel.left)
    bars = [(across(0), y - half, across(value), y + half) for value, y, half in expected if across(value) - across(0) > floor]
    found = [bar for bars_of in panel.bars.values() for bar in bars_of]
    if where in panel.bars:
        found = panel.bars[where]
    compare(name, where, "bar", bars, found)


def check_work(name, record, panels):
    of, names = families(record), list(families(record))
    if len(panels) != 2:
        fault(name, f"{len(panels)} panels of work")
        return
    for panel, executed, whole in ((panels[0], False, number(record, "problem.flops")), (panels[1], True, number(record, "evidence.warps"))):
        across, places, expected, texts = Axis(name, panel, True, False), rows_of(name, panels, panel, names), [], []
        unit = (panel.bottom - panel.top) / (len(names) + 0.2)
        for family in names:
            share = of[family][1 if executed else 0] / whole * 100
            known = executed or of[family][2]
            texts.append((places[family], f"{share:.3g} %" if known else "not told by the code"))
            if known:
                expected.append((share, places[family], 0.3 * unit))
        check_bars(name, "executions" if executed else "operations", panel, across, expected)
        found = [(y - BASELINE, text) for _, y, text, anchor, _ in panel.texts if anchor == "start" and panel.top < y < panel.bottom]
        if sorted((round(y), text) for y, text in texts) != sorted((round(y), text) for y, text in found):
            fault(name, f"beside bars stands {found}, not {texts}")
        seen["work", "number"] += len(texts)


def check_errors(name, record, panels):
    panel, outputs = panels[0], {}
    for trial in at(record, "trials") or []:
        for output in trial.get("outputs") or []:
            if isinstance(output.get("error"), dict) and isinstance(output.get("library_error"), dict):
                ratios = outputs.setdefault(output["tensor"], defaultdict(list))
                for size in SIZES:
                    own, of = ((number(output, f"{side}.rms") if size == "rms" else number((at(output, f"{side}.quantiles") or {}).get(size))) for side in ("error", "library_error"))
                    value = own / of if of else math.nan
                    if math.isfinite(value) and value > 0:
                        ratios[size].append(value)
    columns = {text: x for x, text in panel.x_texts()}
    if list(columns) != COLUMNS:
        fault(name, f"columns {list(columns)}")
        return
    up, unit, expected = Axis(name, panel, False, True), columns[COLUMNS[1]] - columns[COLUMNS[0]], defaultdict(list)
    for place, (tensor, ratios) in enumerate(outputs.items()):
        for size, column in zip(SIZES, COLUMNS):
            if ratios[size]:
                x = columns[column] + (0.12 * place - 0.2) * unit
                expected[tensor].append((x, up(statistics.median(ratios[size])), x, up(min(ratios[size])), x, up(max(ratios[size]))))
    strict = panel.lines.pop("strict allows", [])
    check_panel(name, "errors", panel, expected)
    left, last = columns[COLUMNS[0]] - unit / 2, columns[COLUMNS[-1]] + unit / 2
    compare(name, "strict allows", "corner", [(left, up(2)), (left + unit, up(2)), (left + unit, up(4)), (last, up(4))], strict[0] if len(strict) == 1 else [])
    check_rules(name, "errors", panel, False, [up(1)])


def pictures(record):
    """The figures that its page has to have: title, check."""
    has_ratio = any(number(output, "error.rms") > 0 and number(output, "library_error.rms") > 0 for trial in at(record, "trials") or [] for output in trial.get("outputs") or [])
    samples = pairs(record, "samples")
    return [one for one, there in (
        (("Share of the work, by family of instructions", check_work), bool(families(record)) and number(record, "problem.flops") > 0 and number(record, "evidence.warps") > 0),
        (("Speedup, sample by sample", check_samples), bool(samples)),
        (("SM clock of each call", check_clock), any(hz > 0 for pair in samples for hz in pair.hz.values())),
        (("Errors beside the library’s own", check_errors), has_ratio)) if there]


def check_page(path, record):
    drawn = {}
    for text in re.findall(r"<svg .*?</svg>", path.read_text(encoding="utf-8"), re.S):
        drawn[re.search(r"<title>(.*?)</title>", text).group(1)] = text
    wanted = dict(pictures(record))
    if set(drawn) != set(wanted):
        fault(path.name, f"it has the figures {sorted(drawn)}, not {sorted(wanted)}")
    for title, check in wanted.items():
        if title in drawn:
            check(f"{check.__name__.partition('_')[2]}", record, ruler.read_svg(path.name, drawn[title])[0])


# ---- of all ----

def clock(record, side):
    values = [pair.hz[side] / 1e9 for pair in pairs(record, "samples") if not pair.warm_up and not pair.throttled and pair.hz[side] > 0]
    return (statistics.median(values), min(values), max(values)) if values else (math.nan,) * 3


def greatest(record, sizes):
    found = [math.nan]
    for trial in at(record, "trials") or []:
        for output in trial.get("outputs") or []:
            for size in sizes:
                own, of = ((number(output, f"{side}.rms") if size == "rms" else number((at(output, f"{side}.quantiles") or {}).get(size))) for side in ("error", "library_error"))
                if of and math.isfinite(own / of) and own / of > 0:
                    found.append(own / of)
    return (max(found[1:], default=math.nan), math.nan, math.nan)


# what, and of each of its two series the name and the numbers
ALL = {
    "measured_speed": (False, [1], [("in time", lambda r: interval(r, "timing.speedup")), ("in SM cycles", lambda r: interval(r, "timing.cycles"))]),
    "measured_clock": (False, [], [("candidate", lambda r: clock(r, "candidate")), ("library, beside it", lambda r: clock(r, "library"))]),
    "measured_work": (False, [100], [("target instructions (wgmma, tcgen05)", lambda r: (number(r, "evidence.share") * 100, math.nan, math.nan)),
                                     ("multiplies by one warp", lambda r: (number(r, "evidence.operations_share.warp") * 100, math.nan, math.nan))]),
    "measured_errors": (True, [2, 4], [("relative RMS", lambda r: greatest(r, ["rms"])), ("quantiles 0.5 to 0.999", lambda r: greatest(r, SIZES[1:5]))]),
}


def same(text, value):
    return math.isnan(value) if text == "" else abs(float(text) - value) <= 1e-8 * abs(value)


def check_all(name, records):
    logarithmic, rules, series = ALL[name]
    rows = [(record, [of(record) for _, of in series]) for record in records]
    rows = [(record, values) for record, values in rows if any(math.isfinite(value[0]) for value in values)][:CANDIDATES]
    told = [(at(record, "problem.task"), at(record, "candidate.name"), at(record, "run"), what, value) for record, values in rows for (what, _), value in zip(series, values) if math.isfinite(value[0])]
    found = read_csv(REPORT / "figures" / f"{name}.csv")
    if len(found) != len(told):
        fault(name, f"its CSV has {len(found)} rows, not {len(told)}")
    for row, (task, candidate, run, what, value) in zip(found, told):
        if [row["task"], row["candidate"], row["run"], row["what"]] != [task, candidate, run, what] or not all(same(row[column], one) for column, one in zip(("value", "low", "high"), value)):
            fault(name, f"its CSV has {dict(row)}, not {task}, {candidate}, {run}, {what}, {value}")
        seen[name, "row"] += 1
    panels, _ = ruler.read_svg(name, (REPORT / "figures" / f"{name}.svg").read_text(encoding="utf-8"))
    panel, across = panels[0], Axis(name, panels[0], True, logarithmic)
    unit = (panel.bottom - panel.top) / len(rows)
    names = [f"{at(record, 'problem.task')[:60]} / {at(record, 'candidate.name')[:40]}" for record, _ in rows]
    places = [panel.top + (i + 0.5) * unit for i in range(len(rows))]
    for (y, text), place, wanted in zip(panel.y_texts(), places, names):
        head, _, tail = text.partition("…")
        if abs(y - place) > 0.6 or not (text == wanted or ("…" in text and wanted.startswith(head) and wanted.endswith(tail))):
            fault(name, f"the row at {y} is {text}; {wanted} is to be at {place:.2f}")
    for side, (what, _) in enumerate(series):
        offset = (-0.18 if side == 0 else 0.18) * unit
        if name == "measured_work":
            check_bars(name, what, panel, across, [(values[side][0], place + offset, 0.18 * unit) for (_, values), place in zip(rows, places) if math.isfinite(values[side][0])])
        else:
            expected = []
            for (_, values), place in zip(rows, places):
                value, low, high = values[side]
                if math.isfinite(value):
                    y = place + offset
                    expected.append((across(value), y) + ((across(low), y, across(high), y) if math.isfinite(low) and math.isfinite(high) else ()))
            check_panel(name, what, only(panel, what), {what: expected})
    if (set(panel.marks) | set(panel.bars)) != {what for what, _ in series}:
        fault(name, f"series {sorted(set(panel.marks) | set(panel.bars))}")
    check_rules(name, "rules", panel, True, [across(value) for value in rules])


def only(panel, what):
    one = ruler.Panel()
    one.marks[what], one.intervals[what], one.lines[what] = panel.marks.get(what, []), panel.intervals.get(what, []), panel.lines.get(what, [])
    return one


def main():
    paths = sorted((BUNDLE / "artifact" / "replays").glob("*/*.json"))
    records = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    files = Counter(f"{at(record, 'problem.task')}--{at(record, 'candidate.name')}" for record in records)
    for record in records:
        name = f"{at(record, 'problem.task')}--{at(record, 'candidate.name')}"
        check_page(REPORT / "kernels" / (f"{name}.html" if files[name] == 1 else f"{name}--{at(record, 'run')}.html"), record)
        seen["pages", "page"] += 1
    for name in ALL:
        check_all(name, [record for record in records if at(record, "stand_in") is not True])
    there = sorted(path.stem for path in (REPORT / "figures").glob("measured_*.svg"))
    if there != sorted(ALL):
        fault("figures", f"those of all candidates are {there}")
    return ruler.told()


sys.exit(main())
