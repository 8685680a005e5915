"""usage: check_hostile.py PAGE

A page whose texts were made to mean something: nothing of them ran, asked for anything or made an element, and a cell still shows its records. Prints what is wrong.
"""
import sys

from browser import Browser

MARKUP = "</td></table></details></script><script>window.hit=1</script><img src=x onerror=window.hit=2 style=position:fixed>&lt;"
wrong = []


def expect(what, got, wanted):
    if got != wanted:
        wrong.append("%s: %s, not %s" % (what, str(got)[:300], str(wanted)[:300]))


with Browser() as browser:
    for width in (1280, 400):
        browser.open(sys.argv[1], width, 800)
        browser.do("for (const d of document.querySelectorAll('details')) d.open = true;0")
        browser.until("document.querySelectorAll('table[role=grid]').length === 2")
        expect("what ran", browser.do("String(window.hit)"), "undefined")
        expect("elements that texts made", browser.do("document.querySelectorAll('img, [onerror], [style]').length"), 0)
        expect("scripts", browser.do("document.scripts.length"), 2)
        expect("tables", browser.do("document.querySelectorAll('table.derived').length"), 2)
        expect("the markup as text in cells, heads, notes, reasons and runs", browser.do("[...document.querySelectorAll('td, th, h3, dd, p.reason, p.note, .where, p[id^=r]')]"
                                                                                         ".filter((e) => e.textContent.includes(%r)).length >= 12" % MARKUP), True)
        expect("escapes by name", browser.do("[...document.querySelectorAll('.odd')].some((e) => e.textContent === '␛') && [...document.querySelectorAll('.odd')].some((e) => e.textContent === 'U+202E')"), True)
        expect("the line of a megabyte is cut and told of", browser.do("[...document.querySelectorAll('.reason .odd')].some((e) => /^… 10[0-9]{5} bytes more$/.test(e.textContent))"), True)
        expect("what the screen does not hold", browser.do("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"), 0)
        browser.click("table.derived[data-t=odd] tbody tr:last-child td:nth-child(3)")
        browser.until("!document.getElementById('evidence').hidden")
        expect("records of a cell", browser.do("document.querySelectorAll('#evidence table')[0].tBodies[0].rows.length"), 4)
        expect("its title", browser.do("document.getElementById('evidence-title').textContent.includes('أ-ب')"), True)
        expect("complaints", browser.complaints(), [])
for line in wrong:
    print(line)
sys.exit(1 if wrong else 0)
