#!/usr/bin/env python3
"""The figures of a report, read back from where their marks stand. Plain python3, no packages, nothing of ours.

Which rows of a derived table a figure has to show is decided here anew; a figure's CSV has to have them, cell by cell. Then the SVG is measured as with a ruler: an axis is
known from its tick marks and the numbers beside them, a mark's value from its place between them. Every mark and both ends of every interval have to be where the derived cell
says, to TOLERANCE pixels, and there may be none besides.
usage: check_figures.py FIGURES (a report's figures/) DERIVED (the directory of `ptxseal derive --out`). Exit 0 all agree, 1 not (each fault a line on stdout).
"""
import math
import sys
from collections import defaultdict
from pathlib import Path

sys.dont_write_bytecode = True  # a checkout stays as it is
import ruler  # noqa: E402
from ruler import Axis, TOLERANCE, check_nones, check_panel, column_title, fault, heading, labelled, left_one, read_csv, rows_of, seen, title_of

FIGURES, DERIVED = Path(sys.argv[1]), Path(sys.argv[2])
MACHINES = {"hopper": "hopper (H100)", "blackwell": "blackwell (B200)"}


def read_svg(name):
    return ruler.read_svg(name, (FIGURES / f"{name}.svg").read_text(encoding="utf-8"))


def derived(table):
    return read_csv(DERIVED / f"{table}.csv")


def distinct(rows, column):
    return list(dict.fromkeys(row[column] for row in rows))


def everywhere(rows, column, where):
    places = {row[where] for row in rows} - {"all"}
    met = defaultdict(set)
    for row in rows:
        met[row[column]].add(row[where])
    return [name for name in distinct(rows, column) if name != "all" and places <= met[name]]


def check_csv(name, rows, columns):
    wanted = [{column: row[column] for column in columns} for row in rows]
    found = read_csv(FIGURES / f"{name}.csv")
    if found != wanted:
        fault(name, f"{name}.csv has {len(found)} rows, {len(wanted)} are wanted; or cells differ")
    else:
        seen[name, "row"] += len(found)


# ---- each figure ----

def figure1(name="figure1"):
    rows = derived("figure1")
    check_csv(name, rows, ["arch", "task", "model", "any", "target"])
    panels, bold = read_svg(name)
    done = set()
    for panel in panels:
        task = title_of(panels, bold, panel)
        first = min(panels, key=lambda other: other.top)
        arch = {MACHINES[arch]: arch for arch in MACHINES}.get(
            max((text for x, y, text in bold if abs(x - panel.left) < 1 and y < first.top and text in MACHINES.values()), default=""), "?")
        mine = [row for row in rows if row["arch"] == arch and row["task"] == task]
        done.add((arch, task))
        at, places = Axis(name, labelled(panels, panel), True, True), rows_of(name, panels, panel, distinct(rows, "model"))
        check_panel(name, f"{arch} {task}", panel, {
            "any correct turn": [(at(float(row["any"])), places[row["model"]]) for row in mine if row["any"]],
            "correct turn with the target instruction": [(at(float(row["target"])), places[row["model"]]) for row in mine if row["target"]]})
        check_nones(name, f"{arch} {task}", panel, [places[row["model"]] for row in mine if not row["any"]])
    if done != {(row["arch"], row["task"]) for row in rows}:
        fault(name, f"panels for {sorted(done)}")


TRAINED = {"1": "the task was a source of the training set", "0": "the task was not"}


def interval(at, row, columns, y):
    value, low, high = (float(row[column]) for column in columns)
    return (at(value), y, at(low), y, at(high), y)


def share_and_speed(name, panel, rows, places, columns, shares):
    at = Axis(name, panel, True, not shares)
    key = "task" if name == "figure2" else "model"
    expected = defaultdict(list)
    for row in rows:
        if shares:
            expected[TRAINED[row["trained"]]].append(interval(at, row, columns, places[row[key]]))
        elif row["best_speedup"]:
            expected[TRAINED[row["trained"]]].append((at(float(row["best_speedup"])), places[row[key]]))
    check_panel(name, "shares" if shares else "speeds", panel, expected)
    if not shares:
        check_nones(name, "speeds", panel, [places[row[key]] for row in rows if not row["best_speedup"]])


def figure2(name="figure2"):
    rows, columns = derived("figure2"), ["percent_correct", "wilson_low", "wilson_high"]
    check_csv(name, rows, ["task", "trained", "turns", "correct_turns", *columns, "best_speedup"])
    panels, _ = read_svg(name)
    for panel in panels:
        share_and_speed(name, panel, rows, rows_of(name, panels, panel, distinct(rows, "task")), columns, panel is min(panels, key=lambda one: one.left))
    if len(panels) != 2:
        fault(name, f"{len(panels)} panels")


def sft_series(name="sft_series"):
    rows, columns = derived("sft_series"), ["percent", "wilson_low", "wilson_high"]
    models, tasks = distinct(rows, "model"), everywhere(rows, "task", "model")
    rows = [row for row in rows if row["task"] in tasks]
    check_csv(name, rows, ["model", "task", "run", "trained", "turns", "correct_turns", *columns, "best_speedup"])
    panels, bold = read_svg(name)
    top = min(panel.top for panel in panels)
    for panel in panels:
        task = column_title(panels, bold, panel)
        share_and_speed(name, panel, [row for row in rows if row["task"] == task], rows_of(name, panels, panel, models), columns, abs(panel.top - top) < 1)
    if len(panels) != 2 * len(tasks):
        fault(name, f"{len(panels)} panels")


def turn_limits(name="turn_limits"):
    tables = {"correctness": ("correct", "correctness_rate"), "target_instruction": ("correct_with_arch", "correct_with_arch_rate")}
    chosen = {}
    all_rows = derived("correctness")
    models, tasks, limits = everywhere(all_rows, "model", "arch"), everywhere(all_rows, "definition", "arch"), distinct(all_rows, "turn_limit")
    wanted = []
    for table, (count, rate) in tables.items():
        rows = derived(table)
        least = {}
        for row in rows:
            key = row["model"], row["arch"], row["definition"]
            least[key] = min(least.get(key, math.inf), int(row["n_trajectories"]))
        chosen[table] = [row for row in rows if row["model"] in models and row["definition"] in tasks and
                         int(row["n_trajectories"]) == least[row["model"], row["arch"], row["definition"]]]
        wanted += [{"table": table, "task": row["definition"], "count": row[count], "rate": row[rate],
                    **{column: row[column] for column in ("model", "arch", "run", "turn_limit", "n_trajectories", "wilson_low", "wilson_high")}} for row in chosen[table]]
    check_csv(name, wanted, ["table", "task", "model", "arch", "run", "turn_limit", "n_trajectories", "count", "rate", "wilson_low", "wilson_high"])
    panels, bold = read_svg(name)
    if len(panels) != 2 * 2 * len(tasks):
        fault(name, f"{len(panels)} panels")
    for panel in panels:
        title = title_of(panels, bold, panel)
        table = "target_instruction" if title.endswith("with the target instruction") else "correctness"
        arch = next(arch for arch, text in MACHINES.items() if title.startswith(text))
        first = min(one.top for one in panels)
        task = ""
        for one in tasks:  # headings stand above the title of the first row
            lines = "".join(text for x, y, text in sorted(bold, key=lambda line: line[1]) if abs(x - panel.left) < 1 and y < first - 14)
            task = one if lines == one else task
        mine = [row for row in chosen[table] if row["arch"] == arch and row["definition"] == task]
        at, columns = Axis(name, left_one(panels, panel), False, False), dict((text, x) for x, text in labelled(panels, panel).x_texts())
        if sorted(columns) != sorted(limits):
            fault(name, f"columns {sorted(columns)}")
            continue
        unit = columns[limits[1]] - columns[limits[0]]
        expected = defaultdict(list)
        for row in mine:
            x = columns[row["turn_limit"]] + (models.index(row["model"]) - (len(models) - 1) / 2) * 0.16 * unit
            rate, low, high = (at(float(row[column])) for column in (tables[table][1], "wilson_low", "wilson_high"))
            expected[row["model"]].append((x, rate, x, low, x, high))
        check_panel(name, f"{arch} {task} {table}", panel, expected)


def fast_p(name="fast_p"):
    rows = derived("fast_p")
    models = everywhere(rows, "model", "arch")
    rows = [row for row in rows if row["task"] == "all" and row["arch"] != "all" and row["model"] in models]
    kinds = {"correct and faster than p": ["percent", "wilson_low", "wilson_high"],
             "also with the target instruction": ["percent_target", "wilson_low_target", "wilson_high_target"]}
    check_csv(name, rows, ["model", "arch", "task", "p", "turns", *(column for columns in kinds.values() for column in columns)])
    panels, bold = read_svg(name)
    done = set()
    for panel in panels:
        machine, _, kind = heading(bold, panel.left, panel.top).partition(": ")
        arch = next((arch for arch, text in MACHINES.items() if text == machine), "?")
        done.add((arch, kind))
        across, up = Axis(name, labelled(panels, panel), True, False), Axis(name, left_one(panels, panel), False, False)
        expected = defaultdict(list)
        for row in rows:
            if row["arch"] == arch:
                value, low, high = (up(float(row[column])) for column in kinds[kind])
                x = across(float(row["p"]))
                expected[row["model"]].append((x, value, x, low, x, high))
        check_panel(name, f"{arch}, {kind}", panel, expected)
    if done != {(arch, kind) for arch in distinct(rows, "arch") for kind in kinds}:
        fault(name, f"panels for {sorted(done)}")


def reasoning(name="reasoning"):
    rows, columns = derived("reasoning_buckets"), ["percent", "wilson_low", "wilson_high"]
    models = everywhere(rows, "model", "arch")
    rows = [row for row in rows if row["model"] in models]
    check_csv(name, rows, ["model", "arch", "bucket", "turns", "correct_turns", *columns, "best_speedup"])
    panels, bold = read_svg(name)
    buckets = distinct(rows, "bucket")
    for panel in panels:
        machine = heading(bold, panel.left, panel.top)
        arch = next((arch for arch, text in MACHINES.items() if text == machine), "?")
        places = rows_of(name, panels, panel, buckets)
        heights = sorted(places.values())
        unit, shares = heights[1] - heights[0], "100" in [text for _, text in panel.x_texts()]
        at, expected = Axis(name, panel, True, not shares), defaultdict(list)
        for row in rows:
            y = places[row["bucket"]] + (models.index(row["model"]) - (len(models) - 1) / 2) * 0.7 / len(models) * unit
            if row["arch"] == arch and shares:
                expected[row["model"]].append(interval(at, row, columns, y))
            elif row["arch"] == arch and row["best_speedup"]:
                expected[row["model"]].append((at(float(row["best_speedup"])), y))
        check_panel(name, f"{arch}, {'shares' if shares else 'speeds'}", panel, expected)
    if len(panels) != 2 * len(distinct(rows, "arch")):
        fault(name, f"{len(panels)} panels")


def release(name="release"):
    rows = derived("release")
    tasks = everywhere(rows, "task", "arch")
    rows = [row for row in rows if row["task"] in tasks]
    check_csv(name, rows, ["arch", "task", "date", "model", "best_speedup", "best_so_far", "leads"])
    panels, bold = read_svg(name)
    tops = sorted({round(panel.top) for panel in panels})
    for panel in panels:
        machines = sorted((y, text) for x, y, text in bold if text in MACHINES.values() and y < panel.top)
        arch = next((arch for arch, text in MACHINES.items() if machines and text == machines[-1][1]), "?")
        task = "".join(text for x, y, text in sorted(bold, key=lambda line: line[1]) if abs(x - panel.left) < 1 and y < tops[0])
        names = sorted({f"{row['date']} {row['model']}" for row in rows if row["arch"] == arch})
        places, at = rows_of(name, panels, panel, names), Axis(name, labelled(panels, panel), True, True)
        mine = [row for row in rows if row["arch"] == arch and row["task"] == task]
        expected = defaultdict(list)
        for row in mine:
            if row["best_speedup"]:
                expected["best of a model that is the best so far" if row["leads"] == "1" else "best of a model"].append(
                    (at(float(row["best_speedup"])), places[f"{row['date']} {row['model']}"]))
        check_panel(name, f"{arch} {task}", panel, expected)
        check_nones(name, f"{arch} {task}", panel, [places[f"{row['date']} {row['model']}"] for row in mine if not row["best_speedup"]])
        steps = {(round(x, 2), round(y, 2)) for line in panel.lines["best so far"] for x, y in line}
        for row in mine:
            want = (at(float(row["best_so_far"])), places[f"{row['date']} {row['model']}"]) if row["best_so_far"] else None
            if want and all(math.dist(want, vertex) > TOLERANCE for vertex in steps) and not on_line(want, panel.lines["best so far"]):
                fault(name, f"{arch} {task}: the step line misses {want}")
            seen[name, "step"] += want is not None
    if len(panels) != len(tops) * len(tasks) or len(tops) != len(distinct(rows, "arch")):
        fault(name, f"{len(panels)} panels")


def on_line(point, lines):
    """On a straight part between two corners: gnuplot leaves out points on it."""
    for line in lines:
        for (ax, ay), (bx, by) in zip(line, line[1:]):
            if min(ax, bx) - TOLERANCE <= point[0] <= max(ax, bx) + TOLERANCE and min(ay, by) - TOLERANCE <= point[1] <= max(ay, by) + TOLERANCE:
                return True
    return False


ALL = [figure1, figure2, turn_limits, sft_series, fast_p, reasoning, release]
for check in ALL:
    check()
# Those of measured records have a judge of their own: theirs are drawn from the records, not from a table.
there = sorted(path.stem for path in FIGURES.glob("*.svg") if not path.stem.startswith("measured_"))
if there != sorted(check.__name__ for check in ALL):
    ruler.faults.append(f"the pictures are {there}")
sys.exit(ruler.told())
