"""What the judges of figures measure an SVG with: its panels, their axes known from tick marks and the numbers beside them, and where marks, intervals, bars and lines stand. Plain python3."""
import csv
import math
import re
import xml.etree.ElementTree as ET
from collections import defaultdict

SVG = "{http://www.w3.org/2000/svg}"
TOLERANCE = 0.06  # gnuplot writes hundredths
BASELINE = 3.58   # of 11 px text: from the middle of its height to where SVG places it
faults = []
seen = defaultdict(int)


def fault(name, what):
    faults.append(f"{name}: {what}")


def read_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# ---- the SVG ----

def subpaths(d):
    """[[(x, y), …], …] of a path of M, L and Z; its numbers are pairs."""
    paths = []
    for command, numbers in re.findall(r"([MLZ])([^MLZ]*)", d):
        values = [float(number) for number in re.findall(r"-?[0-9.]+", numbers)]
        points = list(zip(values[::2], values[1::2]))
        if command == "M":
            paths.append(points)
        elif command == "L":
            paths[-1] += points
    return paths


def place(element):
    if element.tag == SVG + "circle":
        return float(element.get("cx")), float(element.get("cy"))
    return tuple(float(number) for number in re.match(r"translate\((\S+) (\S+)\)$", element.get("transform")).groups())


def box(points):
    """(left, top, right, bottom)"""
    return min(x for x, _ in points), min(y for _, y in points), max(x for x, _ in points), max(y for _, y in points)


class Panel:
    def __init__(self):
        self.marks, self.intervals, self.lines, self.bars = defaultdict(list), defaultdict(list), defaultdict(list), defaultdict(list)
        self.texts, self.grid, self.ticks, self.rules = [], [], [], []

    def finish(self):
        xs = [x for line in self.grid for x, _ in line]
        ys = [y for line in self.grid for _, y in line]
        self.left, self.right, self.top, self.bottom = min(xs), max(xs), min(ys), max(ys)

    def x_texts(self):
        """Texts under tick marks, or names of columns: what stands in the middle below the frame, first line."""
        below = [(x, y, text) for x, y, text, anchor, _ in self.texts if anchor == "middle" and self.bottom < y < self.bottom + 24]
        return [(x, text) for x, _, text in sorted(below)]

    def y_texts(self):
        return sorted((y - BASELINE, text) for x, y, text, anchor, _ in self.texts if anchor == "end" and x < self.left)

    def tick_places(self, across):
        """Where tick marks stand that point down (x axis) or to the left (y axis)."""
        return [(line[0][0] if across else line[0][1]) for line in self.ticks
                if len(line) == 2 and abs(line[0][0 if across else 1] - line[1][0 if across else 1]) < 0.01 and
                math.dist(line[0], line[1]) < 8]


def read_svg(name, text):
    root = ET.fromstring(text)
    panels, bold = defaultdict(Panel), []
    for element in root.iter():
        if "id" in element.attrib or element.tag in (SVG + "script", SVG + "style", SVG + "image", SVG + "a", SVG + "foreignObject") or \
                any(key.endswith("href") or key.startswith("on") for key in element.attrib):
            fault(name, f"the SVG has a {element.tag.replace(SVG, '')} with {sorted(element.attrib)}")
    for group in root.findall(SVG + "g"):
        kind = group.get("class").split()[0]
        if kind == "axes":
            panel = panels[int(group.get("data-panel"))]
            for element in group:
                if element.tag == SVG + "text":
                    if element.get("transform"):
                        continue  # the label along a y axis
                    text = (float(element.get("x")), float(element.get("y")), element.text, element.get("text-anchor", "start"), element.get("class"))
                    if element.get("font-weight") == "bold":
                        bold.append(text[:3])
                    else:
                        panel.texts.append(text)
                elif element.get("class") == "muted":
                    panel.rules += subpaths(element.get("d"))
                elif element.get("class") == "grid":
                    panel.grid += subpaths(element.get("d"))
                elif element.get("class") == "frame":
                    for line in subpaths(element.get("d")):
                        (panel.ticks if len(line) < 3 and math.dist(line[0], line[-1]) < 8 else panel.grid).append(line)
        elif kind == "series":
            panel, title = panels[int(group.get("data-panel"))], group.find(SVG + "title").text
            for element in group:
                what = element.get("class")
                if what == "mark":
                    panel.marks[title].append(place(element))
                elif what == "interval":
                    panel.intervals[title] += subpaths(element.get("d"))
                elif what == "line":
                    panel.lines[title] += subpaths(element.get("d"))
                elif what == "bar" and element.get("stroke"):
                    panel.bars[title].append(box(subpaths(element.get("d"))[0]))
    drawn = [panel for _, panel in sorted(panels.items()) if panel.grid]
    for panel in drawn:
        panel.finish()
    return drawn, bold


def heading(bold, left, top):
    """The bold text above a place, of one or two lines."""
    lines = sorted(((y, text) for x, y, text in bold if abs(x - left) < 1 and y < top), reverse=True)
    if not lines:
        return ""
    if len(lines) > 1 and lines[0][0] - lines[1][0] < 14:
        return lines[1][1] + lines[0][1]
    return lines[0][1]


class Axis:
    """Pixels of a number, from two ticks; the others have to agree."""
    def __init__(self, name, panel, across, logarithmic):
        texts = panel.x_texts() if across else panel.y_texts()
        marks = panel.tick_places(across)
        ticks = []
        for at, text in texts:
            near = [mark for mark in marks if abs(mark - at) < 0.5]
            if re.fullmatch(r"-?[0-9.]+", text) and near:
                ticks.append((near[0], float(text)))
        self.scale = math.log10 if logarithmic else float
        if len(ticks) < 2:
            fault(name, f"an axis with {len(ticks)} numbers: {texts}")
            ticks = [(0, 1), (1, 10)]
        (a, first), (b, last) = ticks[0], ticks[-1]
        self.start, self.unit = a - self.scale(first) * (b - a) / (self.scale(last) - self.scale(first)), (b - a) / (self.scale(last) - self.scale(first))
        for at, number in ticks:
            if abs(self(number) - at) > TOLERANCE:
                fault(name, f"the tick {number} stands at {at}, not at {self(number):.2f}")

    def __call__(self, number):
        return self.start + self.unit * self.scale(number)


def compare(name, where, kind, expected, found):
    """Both lists of tuples of pixels, to the tolerance."""
    left = list(found)
    for want in expected:
        best = min(left, key=lambda one: math.dist(one, want), default=None)
        if best is None or math.dist(best, want) > TOLERANCE:
            fault(name, f"{where}: no {kind} at {tuple(round(number, 2) for number in want)}; nearest {best}")
        else:
            left.remove(best)
            seen[name, kind] += 1
    for one in left:
        fault(name, f"{where}: a {kind} at {one} that no cell calls for")


def check_panel(name, where, panel, expected):
    """expected: {series: [(x, y) or (x, y, x low, y low, x high, y high), …]} in pixels."""
    for series in sorted(set(expected) | set(panel.marks) | set(panel.intervals)):
        points = expected.get(series, [])
        compare(name, f"{where}, {series}", "mark", [point[:2] for point in points], panel.marks.get(series, []))
        compare(name, f"{where}, {series}", "interval", [point[2:] for point in points if len(point) > 2],
                [line[0] + line[-1] for line in panel.intervals.get(series, [])])
        for line in panel.lines.get(series, []):
            if series not in STEPS:
                for vertex in line:
                    if all(math.dist(vertex, mark) > TOLERANCE for mark in panel.marks.get(series, [])):
                        fault(name, f"{where}, {series}: a line to {vertex}, where no mark is")


STEPS = {"best so far"}


def check_nones(name, where, panel, rows):
    """rows: pixels of the rows whose cell is empty."""
    found = [(0, y - BASELINE) for _, y, text, anchor, kind in panel.texts if kind == "muted" and text.strip() == "none"]
    compare(name, where, "“none”", [(0, y) for y in rows], found)


def rows_of(name, panels, panel, names):
    """{name: pixels} of the rows, from the names left of the panel or of the one furthest left beside it."""
    first = min((other for other in panels if abs(other.top - panel.top) < 1 and abs(other.bottom - panel.bottom) < 1), key=lambda other: other.left)
    texts = first.y_texts()
    found = {}
    for y, text in texts:
        if y < first.top - 1 or y > first.bottom + 1:
            continue
        head, _, tail = text.partition("…")
        fits = [one for one in names if one == text or ("…" in text and one.startswith(head) and one.endswith(tail))]
        if len(fits) == 1:
            found[fits[0]] = y
        else:
            fault(name, f"the row {text} is none of {names}")
    for one in names:
        if one not in found:
            fault(name, f"no row {one}")
            found[one] = -1
    return found


def labelled(panels, panel):
    """The panel of the same column that has its axis' numbers."""
    return max((other for other in panels if abs(other.left - panel.left) < 1 and len(other.x_texts()) > 1), key=lambda other: other.bottom, default=panel)


def left_one(panels, panel):
    return min((other for other in panels if abs(other.top - panel.top) < 1), key=lambda other: other.left)


def title_of(panels, bold, panel):
    return heading(bold, left_one(panels, panel).left, panel.top)


def column_title(panels, bold, panel):
    first = min((other for other in panels if abs(other.left - panel.left) < 1), key=lambda other: other.top)
    return heading(bold, panel.left, first.top)


def number(cell):
    return float(cell) if cell else math.nan


def told():
    """Print every fault, else what was seen; the exit code."""
    for line in faults:
        print(line)
    for (name, kind), count in sorted(seen.items()):
        print(f"{name:<15} {kind:<9} {count:>5}")
    return 1 if faults else 0
