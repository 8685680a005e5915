"""usage: check_page.py PTXSEAL BUNDLE REPORT DERIVED COMPARISON

Look at report.html as a person does: with the mouse, with the keyboard, without a script, on a small screen, printed; and at a kernel page and a page of `compare`. Its cells are held to the CSV
that derive wrote, what it shows of a cell to `explain --json`. Prints what is wrong, a line each; exits 1 if anything is.
"""
import csv
import glob
import json
import os
import subprocess
import sys

from browser import Browser

ptxseal, bundle, report, derived, comparison = sys.argv[1:]
page = os.path.join(report, "report.html")
kernel = os.path.join(report, "kernels", "mha_bwd_d128--wgmma-tma.html")
wrong = []

# Cells whose records are looked at: turns of one run, of several, of all; lines of files; a difference; a column without records; nothing.
CELLS = [("correctness", "opus48-b200-gemm/8", "correct"), ("fast_p", "Claude Opus 4.8/all/all/0.5", "percent"), ("failures", "all/all/all", "extraction_error"),
         ("correctness", "opus48-b200-gemm/8", "date"), ("target_instruction", "opus48-b200-gemm/8", "tag_evidence"), ("tasks", "gemm_n7168_k5120/94920358-01a8-4c5b-9209-3103fd490e94", "workload"), ("release_dates", "architecture/hopper", "name"),
         ("best_speedup", "qwen36-27b-mha-d128/8", "best_speedup")]

JS = """
window.test = {
	text: (cell) => { const mark = cell.querySelector("[aria-hidden]"); const t = (mark ? cell.textContent.slice(mark.textContent.length) : cell.textContent).trim();
		return cell.classList.contains("d") && t === "∅" ? "" : t; },
	table: (name) => document.querySelector(`table.derived[data-t="${name}"]`),
	names: (name) => [...test.table(name).tHead.rows[0].cells].slice(0, -1).map((h) => h.textContent.trim()),
	rows: (name) => [...test.table(name).tBodies[0].rows].map((r) => [...r.cells].slice(0, -1).map(test.text)),
	shown: (name, column) => [...test.table(name).tBodies[0].rows].filter((r) => !r.hidden).map((r) => test.text(r.cells[column])),
};0
"""


def expect(what, got, wanted):
    if got != wanted:
        wrong.append("%s: %s, not %s" % (what, str(got)[:300], str(wanted)[:300]))


def read(name):
    with open(os.path.join(derived, name + ".csv"), newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def explain(cell):
    """Begun at once for all cells, beside the browser."""
    return subprocess.Popen([ptxseal, "explain", "--json", *cell, bundle], stdout=subprocess.PIPE)


def explained(process):
    text, _ = process.communicate()
    if process.returncode != 0:
        raise SystemExit("%s: exit %d" % (" ".join(process.args), process.returncode))
    return json.loads(text)


def check_cells(browser, names):
    expect("tables", browser.do("[...document.querySelectorAll('table.derived')].map((t) => t.dataset.t)"), names)
    for name in names:
        table = read(name)
        expect(name + ": columns", browser.do("test.names(%r)" % name), table[0])
        rows = browser.do("test.rows(%r)" % name)
        expect(name + ": number of rows", len(rows), len(table) - 1)
        for got, wanted in zip(rows, table[1:]):
            if got != wanted:
                expect(name, got, wanted)
                break


def number_of(table, row, key):
    for number, line in enumerate(table[1:]):
        if "/".join(line[k] for k in key) == row:
            return number
    raise SystemExit("no row %s" % row)


def open_table(browser, name):
    """A table is made ready when it is opened, which the browser tells the script a moment later."""
    browser.do("test.table(%r).closest('details').open = true" % name)
    browser.until("test.table(%r).getAttribute('role') === 'grid'" % name)


def check_evidence(browser, cell, process):
    name, row, column = cell
    what = "%s %s %s" % cell
    wanted = explained(process)
    table = read(name)
    key = browser.do("JSON.parse(document.getElementById('trail').textContent).tables[%r].key" % name)
    place = "table.derived[data-t=%s] tbody tr:nth-child(%d) > :nth-child(%d)" % (name, number_of(table, row, key) + 1, table[0].index(column) + 1)
    open_table(browser, name)
    browser.click(place)
    browser.until("!document.getElementById('evidence').hidden")
    facts = browser.do("Object.fromEntries([...document.querySelectorAll('#evidence dt')].map((t) => [t.textContent, t.nextSibling.textContent]))")
    expect(what + ": value", facts["value"], wanted["cell"] if wanted["cell"] not in (None, "") else "none")
    expect(what + ": formula", facts["what it is"].strip(), wanted["formula"] + ("; of: " + wanted["denominator"] if wanted["denominator"] else ""))
    expect(what + ": evidence", facts["evidence"].split()[-1], wanted["evidence"])
    if wanted["is_published"] and wanted["verdict"] == "SAME":
        expect(what + ": published", facts["published"], "= SAME: published as " + (wanted["published"] or "empty"))
    elif wanted["is_published"]:
        for part in (wanted["verdict"], "published " + (wanted["published"] or "empty"), wanted["reason"]):
            if part not in " ".join(facts["published"].split()):
                wrong.append("%s: published: %s lacks %s" % (what, facts["published"], part))
    else:
        expect(what + ": published", facts["published"], "no such cell was published")
    browser.do("(() => { for (const b of document.querySelectorAll('#evidence button')) if (b.textContent.startsWith('show all')) b.click(); })()")
    tables = browser.do("[...document.querySelectorAll('#evidence table')].map((t) => [...t.tBodies[0].rows].map((r) => [...r.cells].map((c) => c.textContent.trim())))")
    records = wanted["records"]
    if records and "turn" in records[0]:
        expect(what + ": turns", [line[:3] + [" ".join(line[3].split())] + line[4:] for line in tables[0]],
               [[r["run"], str(r["trajectory"]), str(r["turn"]), " ".join([r["outcome"]] + [r[k] for k in ("speedup", "arch_tag") if r[k]]), str(r["line"]), str(r["source_line"])]
                for r in records])
        files = {(r["file"], r["sha256"], r["manifest"]) for r in records}
        expect(what + ": files", {tuple(line) for line in tables[1]}, files)
    elif records:
        expect(what + ": lines", [line[:3] for line in tables[0]], [[r["file"], str(r["line"]), r["sha256"]] for r in records])
    else:
        expect(what + ": records", tables, [])
    expect(what + ": focus", browser.do("document.activeElement.id"), "evidence")
    browser.key("Escape")
    expect(what + ": Escape", browser.do("document.getElementById('evidence').hidden && document.activeElement === document.querySelector(%s)" % json.dumps(place)), True)
    browser.do("test.table(%r).closest('details').open = false; 0" % name)


def check_sort(browser, name, column, number):
    at = read(name)[0].index(column)
    head = "table.derived[data-t=%s] thead th:nth-child(%d)" % (name, at + 1)
    for direction in ("ascending", "descending"):
        browser.click(head + " button")
        expect("aria-sort of " + column, browser.do("document.querySelector(%s).getAttribute('aria-sort')" % json.dumps(head)), direction)
        shown = browser.do("test.shown(%r, %d)" % (name, at))
        full = [number(text) for text in shown if text != ""]
        expect("order by %s, %s" % (column, direction), full, sorted(full, reverse=direction == "descending"))
        expect("empty cells last by " + column, [text for text in shown[len(full):] if text != ""], [])
        expect("rows when sorted", len(shown), len(read(name)) - 1)


def check_filter(browser, name):
    table = read(name)
    form = "(() => { const form = test.table(%r).closest('details').querySelector('form'); const [input, model, arch] = [form.querySelector('input'), ...form.querySelectorAll('select')]; " % name
    model, arch, task = (table[0].index(c) for c in ("model", "arch", "task"))
    wanted = [line for line in table[1:] if line[model] == "GLM-5.2" and line[arch] == "hopper"]
    browser.do(form + "model.value = 'GLM-5.2'; arch.value = 'hopper'; arch.dispatchEvent(new Event('input', {bubbles: true})); })()")
    expect("rows of a model and an architecture", sorted(browser.do("test.shown(%r, %d)" % (name, task))), sorted(line[task] for line in wanted))
    wanted = [line for line in wanted if "bwd" in " ".join(line) and "causal" in " ".join(line)]
    browser.do(form + "input.value = 'CAUSAL bwd'; input.dispatchEvent(new Event('input', {bubbles: true})); })()")
    expect("rows with words", sorted(browser.do("test.shown(%r, %d)" % (name, task))), sorted(line[task] for line in wanted))
    expect("what the filter says", browser.do("test.table(%r).closest('details').querySelector('output').textContent" % name), "%d of %d rows" % (len(wanted), len(table) - 1))
    browser.do(form + "input.value = ''; model.value = ''; arch.value = ''; input.dispatchEvent(new Event('input', {bubbles: true})); })()")
    expect("rows without a filter", len(browser.do("test.shown(%r, 0)" % name)), len(table) - 1)


def check_keyboard(browser, name):
    """From the filter's last field with Tab into the table, over the names of its columns to a cell, on by arrows, Enter, Escape."""
    browser.do("[...test.table(%r).closest('details').querySelectorAll('select')].pop().focus()" % name)
    for _ in range(len(read(name)[0]) + 4):
        browser.key("Tab")
        if browser.do("document.activeElement.closest('tbody') !== null"):
            break
    place = "(() => { const c = document.activeElement; return c.closest('tbody') ? [c.parentNode.rowIndex, c.cellIndex] : null; })()"
    expect("Tab leads to the first cell", browser.do(place), [1, 0])
    browser.key("ArrowDown")
    browser.key("ArrowRight")
    expect("arrows move on", browser.do(place), [2, 1])
    browser.key("Enter", text="\r")
    expect("Enter shows what a cell rests on", browser.do("!document.getElementById('evidence').hidden"), True)
    browser.key("Escape")
    expect("Escape leads back", browser.do(place), [2, 1])


# What lies at the middle of an element: itself, or what covers it.
UNCOVERED = """((e) => { const r = e.getBoundingClientRect(); return e.contains(document.elementFromPoint((r.left + r.right) / 2, (r.top + r.bottom) / 2)); })"""


def check_covered(browser):
    """The chosen cell stays in sight beside the panel that tells of it, and neither what stays in sight of a table nor the navigation covers a cell that arrows lead to."""
    for width, height in ((1280, 800), (800, 1000), (400, 800), (400, 600)):
        for name, row, column in (("correctness", 5, 9), ("correctness", 315, 12), ("figure1", 3, 4), ("failures", 112, 2)):
            what = "%d x %d, %s row %d column %d" % (width, height, name, row, column)
            browser.open(page, width, height)
            browser.do(JS)
            open_table(browser, name)
            browser.click("table.derived[data-t=%s] tbody tr:nth-child(%d) > :nth-child(%d)" % (name, row, column))
            browser.until("!document.getElementById('evidence').hidden")
            expect(what + ": the chosen cell is not covered", browser.do(UNCOVERED + "(document.querySelector('.chosen'))"), True)
            expect(what + ": the panel begins below it", browser.do("document.querySelector('.chosen').getBoundingClientRect().bottom <= document.getElementById('evidence').getBoundingClientRect().top"), True)
            browser.key("Escape")
            covered = 0
            for key in ["ArrowUp"] * 3 + ["ArrowLeft"] * 6 + ["ArrowDown"] * 3 + ["ArrowRight"] * 3:
                browser.key(key)
                covered += not browser.do(UNCOVERED + "(document.activeElement)")
            expect(what + ": cells covered on the way by arrows", covered, 0)


def check_targets(browser):
    """What a link leads to is marked as a whole; a section is not, for that would be half the page."""
    clear = "rgba(0, 0, 0, 0)"
    ground = "getComputedStyle(document.querySelector(%r)).backgroundColor"
    for target in ("claims", "figures", "records"):
        browser.click("nav a[href='#%s']" % target)
        browser.until("location.hash === '#%s'" % target)
        expect("the ground of section " + target, browser.do(ground % ("#" + target)), clear)
    browser.do("location.hash = '#c-C3'; 0")
    browser.until("document.querySelector('#c-C3:target') !== null")
    marked = browser.do(ground % "#c-C3")
    expect("a marked row has the colour of the accent", marked != clear, True)
    expect("the name of a marked row", browser.do(ground % "#c-C3 > th"), marked)


def check_content(browser):
    """A stranger reads what was looked at before what was found, whose answers a run holds without opening it, and comes from every picture to its table and its query."""
    expect("what is in the bundle", browser.do("document.querySelector('h1 ~ * .lede').textContent.trim()"), "Answers to the task of writing a kernel for a GPU, and what became of each: a turn is one answer and its evaluation. "
           "13674 turns of 13 models on 16 tasks, ○ reported, from the source ptxbench. 28 turns of ptxseal's own candidates on 6 tasks, ● executed, from the source ptxseal.")
    expect("a run", browser.do("document.querySelector('details.run > summary').textContent.trim()"), "opus48-b200-gemm Claude Opus 4.8, blackwell, gemm_n7168_k5120; 96 turns ○ reported")
    marks = "[...document.querySelectorAll('table.derived .d')].filter((c) => c.textContent.trim() %s '∅').map((c) => getComputedStyle(c.querySelector('a'), '::before').content)"
    expect("marks of cells that cannot be derived", browser.do(marks % "==="), ["none"] * 490)
    expect("marks of cells that differ", browser.do(marks % "!=="), ['"≠ "'] * 8)
    expect("pictures", browser.do("document.querySelectorAll('figure').length"), 11)
    expect("pictures without a table and its SQL", browser.do("""[...document.querySelectorAll('figure')].filter((f) => { const links = [...f.querySelectorAll('a[href^="#t-"]')];
        return links.length === 0 || !links.every((a) => document.getElementById(a.hash.slice(1)).closest('details').querySelector('.sql pre')); }).map((f) => f.querySelector('figcaption').textContent)"""), [])


def check_links(browser):
    expect("links that lead nowhere", browser.do("[...new Set([...document.querySelectorAll('a[href^=\"#\"]')].map((a) => a.getAttribute('href').slice(1)))].filter((id) => !document.getElementById(id))"), [])
    expect("ids twice", browser.do("(() => { const seen = new Set(), twice = []; for (const e of document.querySelectorAll('[id]')) seen.has(e.id) ? twice.push(e.id) : seen.add(e.id); return twice; })()"), [])
    files = browser.do("[...new Set([...document.querySelectorAll('a[href]:not([href^=\"#\"])')].map((a) => a.getAttribute('href')))]")
    expect("files that are not there", [name for name in files if not os.path.exists(os.path.join(report, name.split("#")[0]))], [])
    expect("links elsewhere", [name for name in files if ":" in name or name.startswith("//")], [])


def check_without_script(browser):
    browser.script(False)
    browser.open(page + "#r3")
    for target in ("r3", "t-correctness", "t100", "g2"):
        browser.do("location.hash = %r; 0" % target)
        expect("without a script #%s leads into what is open" % target, browser.do("document.getElementById(%r).closest('details').open" % target), True)
    expect("tools without a script", browser.do("document.querySelectorAll('.tools, #evidence, thead button').length"), 0)
    rows = browser.do("[...document.querySelectorAll('table.derived tbody tr')].filter((r) => ![...r.getElementsByTagName('a')].some((a) => /^#[rgf]/.test(a.getAttribute('href')))).length")
    expect("rows that lead nowhere without a script", rows, 0)
    hidden = browser.do("(() => { for (const d of document.querySelectorAll('details')) d.open = true; return [...document.querySelectorAll('main td, main th, main p, main h3, main li, main dd')]"
                        ".filter((e) => e.textContent.trim() !== '' && !e.closest('.scripted') && !e.checkVisibility()).length; })()")
    expect("texts that stay hidden without a script", hidden, 0)
    expect("complaints without a script", browser.complaints(), [])
    browser.script(True)


def few(browser):
    """Of rows that are all made alike a few are enough, and far quicker judged."""
    browser.do("""(() => { for (const t of document.querySelectorAll('tbody')) [...t.rows].slice(3).forEach((r) => r.remove()); [...document.querySelectorAll('svg')].slice(2).forEach((s) => s.remove());
        [...document.querySelectorAll('pre.ptx, .sql pre')].slice(2).forEach((p) => p.remove()); [...document.querySelectorAll('pre.listing > :nth-child(n+60)')].forEach((p) => p.remove()); [...document.querySelectorAll('details.run')].slice(2).forEach((r) => r.remove()); [...document.querySelectorAll('.groups p')].slice(2).forEach((p) => p.remove()); })()""")


def fewer(browser):
    """For colours, which tags and classes decide: of what has those of all that it stands in alike, two."""
    browser.do("""(() => { const paths = new Map([[document.body, ""]]), met = {}, needed = new Set(), all = [...document.querySelectorAll("body *")];
        for (const e of all) { const path = paths.get(e.parentElement) + ">" + e.tagName + "." + e.getAttribute("class"); paths.set(e, path);
            if ((met[path] = (met[path] || 0) + 1) <= 2) for (let a = e; a && !needed.has(a); a = a.parentElement) needed.add(a); }
        for (const e of all) if (!needed.has(e)) e.remove(); })()""")


def judge(browser, what, rules):
    return browser.do("""axe.run(%s, {resultTypes: ['violations', 'incomplete'], %s}).then((r) => [
        ...r.violations.map((v) => v.id + ': ' + v.help + ': ' + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120)).join(' | ')),
        ...r.incomplete.flatMap((v) => v.nodes.filter((n) => !(n.any[0] && /non-text characters|partially obscured|too short/.test(n.any[0].message)) && !n.html.startsWith("<text")).slice(0, 2).map((n) => 'undecided ' + v.id + ': '
            + n.html.slice(0, 160) + ' ' + (n.any[0] ? n.any[0].message : '')))])""" % (what, rules))


STRUCTURE, COLOURS = "rules: {'color-contrast': {enabled: false}}", "runOnly: ['color-contrast']"


def axe():
    scripts = glob.glob(os.path.join(sys.prefix, "lib/python3*/site-packages/axe_playwright_python/axe.min.js"))
    if not scripts:
        print("axe-core is not here: accessibility was not judged")
        return None
    with open(scripts[0], encoding="utf-8") as file:
        return file.read() + ";0"


def check_accessible(browser, script, with_evidence):
    expect("headings that skip a level", browser.do("""(() => { let last = 0; const wrong = []; for (const h of document.querySelectorAll('h1, h2, h3, h4, h5, h6')) { const level = Number(h.tagName[1]);
        if (level > last + 1) wrong.push(h.textContent); last = level; } return wrong; })()"""), [])
    if script is None:
        return
    few(browser)
    # What stays in sight covers what is scrolled under it, and what is scrolled is cut: its colours cannot be judged where it stands, but those of its like can. At the edge of a box that goes on
    # there is a shadow: all that stands in boxes is judged on the shadow's own colour, the worst.
    browser.do("""for (const d of document.querySelectorAll('details')) d.open = true; const flat = new CSSStyleSheet(); flat.replaceSync('* { position: static !important } .scroll, nav ul, pre { background: var(--edge) !important }');
        document.adoptedStyleSheets = [flat]; 0""")
    browser.until("[...document.querySelectorAll('table.derived')].every((t) => t.getAttribute('role') === 'grid')")
    browser.do(script)
    found = ["light: " + item for item in judge(browser, "document", STRUCTURE)]
    if with_evidence:
        browser.do("document.querySelector('table.derived tbody td').click()")
        few(browser)
        found += ["light: " + item for item in judge(browser, "'#evidence'", STRUCTURE) + judge(browser, "'#evidence'", COLOURS)]
        browser.size(1280, 900, dark=True)
        found += ["dark: " + item for item in judge(browser, "'#evidence'", COLOURS)]
        browser.key("Escape")
    fewer(browser)
    for dark in (True, False):
        browser.size(1280, 900, dark=dark)
        found += ["%s: %s" % ("dark" if dark else "light", item) for item in judge(browser, "document", COLOURS)]
    wrong.extend("%s: %s" % (browser.do("document.title"), item) for item in found)


def check_first_screen(browser):
    """What a reader wants to know first stands there before anything is scrolled."""
    seen = "[...document.querySelectorAll(%s)].filter((e) => e.checkVisibility() && e.getBoundingClientRect().bottom <= innerHeight).map((e) => e.textContent.trim().split(/\\s/)[0])"
    expect("the first screen", browser.do(seen % "'.banner .verdict, .glance dt'"), ["✓", "Rung", "Verified,", "Claims", "What", "Published", "Measured"])
    expect("what the first screen says in large letters", browser.do("[...document.querySelectorAll('.glance strong')].length"), 6)


def shade(browser, selector):
    """How much darker the right edge of a box is than what is left of it, in steps of 255; of some lines the lightest points, for text stands on it."""
    at = browser.do("""(() => { const e = document.querySelector(%s); e.scrollIntoView({block: "end"}); const r = e.getBoundingClientRect(); return [r.left + e.clientWidth, r.top + e.clientHeight]; })()""" % json.dumps(selector))
    lines = browser.pixels(at[0] - 60, at[1] - 40, 60, 36)
    columns = [max(line[x][0] for line in lines) for x in range(len(lines[0]))]
    return columns[0] - columns[-1]


def check_boxes(browser, what):
    """What is wider than the screen is in a box that can be scrolled, by keyboard too, has a name, and shows at its edge that there is more."""
    expect(what + ": what the screen does not hold", browser.do("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"), 0)
    expect(what + ": boxes that the keyboard does not reach", browser.do("[...document.querySelectorAll('.scroll, pre')].filter((e) => e.tabIndex !== 0 && e.checkVisibility() && e.scrollWidth > e.clientWidth).length"), 0)
    expect(what + ": boxes without a name", browser.do("[...document.querySelectorAll('.scroll')].filter((e) => !e.getAttribute('aria-label')).length"), 0)
    expect(what + ": row names that are scrolled away", browser.do("""(() => { const wide = [...document.querySelectorAll('.scroll')].filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth); for (const e of wide) e.scrollLeft = 1e6;
        const left = (e) => e.getBoundingClientRect().left, away = wide.filter((e) => { const th = e.querySelector('tbody th'); return th && left(th) < left(e) - 1; }); for (const e of wide) e.scrollLeft = 0;
        return away.map((e) => e.getAttribute('aria-label')); })()"""), [])


def check_paper(browser, what):
    """On paper nothing is scrolled: all that is open is there in its whole width, and nothing stays in sight over it."""
    browser.size(720, 1000, paper=True)
    expect(what + ": what paper cuts", browser.do("[...document.querySelectorAll('.scroll, pre')].filter((e) => e.checkVisibility() && getComputedStyle(e).overflowX !== 'visible').length"), 0)
    expect(what + ": what is wider than paper", browser.do("[...document.querySelectorAll('main table, main pre, main svg, main dl')].filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.tagName + ' ' + e.textContent.slice(0, 60))"), [])
    expect(what + ": what stays in sight on paper", browser.do("[...document.querySelectorAll('nav, .tools, #evidence')].filter((e) => e.checkVisibility()).length"), 0)


# Of the names in tables of differences those words that stand in more than one line: a word ends with _, - or /.
BROKEN = """(() => { for (const why of document.querySelectorAll('.why details')) why.open = true; const broken = [], range = document.createRange();
    for (const cell of document.querySelectorAll('.differences tbody > tr > :nth-child(-n+2), .totals tbody > tr > th, .totals tbody > tr > th > a')) for (const node of cell.childNodes) if (node.nodeType === 3 && cell.checkVisibility()) {
        range.selectNodeContents(node); if (new Set([...range.getClientRects()].map((r) => r.top)).size > 1) broken.push(node.textContent); }
    return broken.length ? [broken.length, ...broken.slice(0, 9)] : []; })()"""


def check_narrow(browser):
    """Between a telephone and a desk a claim has the whole width, as cards have."""
    for width in (360, 800):
        browser.open(page, width, 1000)
        check_boxes(browser, "%d pixels" % width)
        expect("%d pixels: claims that leave room unused" % width, browser.do("[...document.querySelectorAll('.claims > tbody > tr > td:last-child')].filter((e) => e.getBoundingClientRect().width < document.querySelector('.banner').getBoundingClientRect().width - 2).length"), 0)
        expect("%d pixels: names that break within a word" % width, browser.do(BROKEN), [])


def check_small(browser):
    browser.open(page, 400, 800)
    expect("the first small screen", browser.do("[...document.querySelectorAll('.banner, .glance > div')].filter((e) => e.getBoundingClientRect().bottom <= innerHeight).length >= 3"), True)
    browser.do("document.querySelector('table.derived[data-t=by_source]').closest('details').open = true; 0")
    check_boxes(browser, "400 pixels")
    expect("names that break within a word", browser.do(BROKEN), [])
    expect("cards with a name and nothing behind it", browser.do("document.querySelectorAll('.cards [data-l]:empty, .cards [data-l] > code:empty').length"), 0)
    expect("hashes that do not begin beside their name", browser.do("[...document.querySelectorAll('.cards [data-l] > .hash')].filter((e) => e.checkVisibility() && Math.abs(e.getBoundingClientRect().top - e.parentNode.getBoundingClientRect().top) > 2).length"), 0)
    for box in ("div:has(> .kernels)", "details.table[open] div:has(> .derived)"):
        if not 15 <= shade(browser, box) <= 60:
            wrong.append("no shadow at the edge of %s: %d" % (box, shade(browser, box)))
        browser.do("document.querySelector(%s).scrollLeft = 1e6; 0" % json.dumps(box))
        expect("a shadow where nothing more is, " + box, shade(browser, box), 0)


# Texts of figures that lie on one another or stand out of their picture.
COLLIDING = """(() => { const wrong = []; for (const svg of document.querySelectorAll('svg.figure')) { const box = svg.getBoundingClientRect(), title = svg.querySelector('title').textContent + ': ';
    const texts = [...svg.querySelectorAll('text')].filter((t) => t.textContent.trim()).map((t) => [t.textContent, t.getBoundingClientRect()]);
    texts.forEach(([text, a], i) => { if (a.left < box.left - 1 || a.right > box.right + 1 || a.top < box.top - 1 || a.bottom > box.bottom + 1) wrong.push(title + text);
        for (const [other, b] of texts.slice(i + 1)) if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3) wrong.push(title + text + ' on ' + other); });
    } return wrong; })()"""


def check_pictures(browser):
    for path in [page, comparison] + sorted(glob.glob(os.path.join(report, "kernels", "*.html"))):
        browser.open(path, 1280, 900)
        expect(os.path.basename(path) + ": texts in pictures", browser.do(COLLIDING), [])
        expect(os.path.basename(path) + ": what is not known, of something", browser.do("[...document.querySelectorAll('dd')].map((e) => e.textContent).filter((t) => /not known (to|of)/.test(t))"), [])


def check_others(browser, script):
    for path in (kernel, comparison):
        browser.open(path, 400, 800)
        check_boxes(browser, os.path.basename(path) + ", 400 pixels")
        check_paper(browser, os.path.basename(path))
        browser.size(1280, 900)
        expect(os.path.basename(path) + ": links of the navigation that are out of sight", browser.do("[...document.querySelectorAll('nav a')].filter((e) => e.getBoundingClientRect().right > innerWidth).length"), 0)
        check_accessible(browser, script, False)
        expect("complaints of " + os.path.basename(path), browser.complaints(), [])


def main():
    names = sorted(name[:-len(".csv")] for name in os.listdir(derived) if name.endswith(".csv"))
    processes = [explain(cell) for cell in CELLS]
    script = axe()
    with Browser() as browser:
        browser.open(page, 1280, 900)
        browser.do(JS)
        check_first_screen(browser)
        check_content(browser)
        check_targets(browser)
        check_links(browser)
        check_cells(browser, [name for name in names if len(read(name)) > 1])
        for cell, process in zip(CELLS, processes):
            check_evidence(browser, cell, process)
        open_table(browser, "by_source")
        check_sort(browser, "by_source", "best_speedup", float)
        check_sort(browser, "by_source", "model", str.lower)
        check_filter(browser, "by_source")
        check_keyboard(browser, "by_source")
        expect("complaints", browser.complaints(), [])
        check_without_script(browser)
        check_covered(browser)
        check_narrow(browser)
        check_small(browser)
        check_paper(browser, "report.html")
        browser.size(1280, 900)
        check_accessible(browser, script, True)
        expect("complaints at last", browser.complaints(), [])
        check_others(browser, script)
        check_pictures(browser)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


sys.exit(main())
