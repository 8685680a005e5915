# Text of a bundle that would be markup, a terminal's escape, another direction of writing or a line of a megabyte is shown as text, in every place where a bundle can have it; a browser
# runs nothing of it, asks for nothing and shows a cell's records as ever.
. "$REPO/tests/cli/derive/bundle.inc"
python3 - <<'PYTHON' || exit 3
import json
evil = "</td></table></details></script><script>window.hit=1</script><img src=x onerror=window.hit=2 style=position:fixed>&lt;"
esc, rlo, bell = "\033[31m", "\u202e", "\007"

def change(name, *pairs):
    with open("bundle/artifact/" + name, encoding="utf-8") as file:
        text = file.read()
    for old, new in pairs:
        assert old in text, (name, old)
        text = text.replace(old, new)
    with open("bundle/artifact/" + name, "w", encoding="utf-8") as file:
        file.write(text)

def inside(text):
    return json.dumps(text, ensure_ascii=False)[1:-1]

change("runs/one/run.json", ('"M 1"', '"' + inside(evil) + '"'))
change("tables/correct.sql", ("-- title: T", "-- title: " + evil + esc + "t"), ("| correct / n", "| " + evil + rlo), ("| never published", "| " + evil + bell))
change("claims/C1.sql", ("-- statement: ", "-- statement: " + evil + esc), ("-- paper: ", "-- paper: " + rlo + evil))
change("expected/known.jsonl", ("Nobody knows.", inside(evil) + " " + "y" * 1048576), ("it was late.", inside(evil + esc)),
       ('"published":"1","reason":"' + inside(evil), '"published":"' + inside(evil + rlo) + '","reason":"' + inside(evil)))
change("expected/made/correct.jsonl", ('"correct":"1"},"row":"one/1"', '"correct":"' + inside(evil + rlo) + '"},"row":"one/1"'))
with open("bundle/artifact/tables/odd.sql", "w", encoding="utf-8") as file:
    file.write("""-- title: Odd texts
-- rebuilds: new
-- evidence: reported
-- key: name
-- column: name | text | %s
-- column: model | text | as the source names it
-- column: n | integer counts turns | turns
-- note: %s
SELECT '%s' AS name, model, (SELECT count(*) FROM turn) AS n FROM run
UNION ALL SELECT '%s', 'm', (SELECT count(*) FROM turn) ORDER BY 1; -- %s
-- lineage: n
SELECT turn_id FROM turn WHERE :name IS NOT NULL;
""" % (evil, "n" * 200000, evil + esc + rlo, "أ-ب" + "x" * 1900, evil + esc))
PYTHON
"$PTXSEAL" keygen --out root.key --public root.pub >/dev/null && "$PTXSEAL" keygen --out import.key --public import.pub >/dev/null
"$PTXSEAL" seal --role import --key import.key bundle >/dev/null && "$PTXSEAL" seal --role root --key root.key bundle >/dev/null || exit 3
"$PTXSEAL" report --output out bundle
[ "$(wc -c <out/report.html)" -lt 400000 ] || wc -c out/report.html
# Nothing raw: no control character, no mark of direction, and none of the markup that was put in.
rlo=$(printf '\342\200\256')
LC_ALL=C grep -c "[$(printf '\001-\010\013-\037\177')]" out/report.html
grep -c -e "$rlo" -e '<img' -e '<script>window' out/report.html
export PYTHONDONTWRITEBYTECODE=1
[ -n "$JUDGES" ] || exit 0
"$JUDGES" "$REPO/tests/report/check_hostile.py" out/report.html
code=$?
[ $code -ne 77 ] || exit 0 # no browser; what is above was seen
exit $code
