# The picture in README.md is the one that the program draws of this bundle now: the same texts, marks and colours, each within a pixel of where it stands (other releases of gnuplot round otherwise).
command -v gnuplot >/dev/null || { echo 'no gnuplot'; exit 77; }
grep -qF '](docs/figure1.svg)' "$REPO/README.md" || echo 'README.md does not show docs/figure1.svg'
"$REPO/scripts/picture" "$PWD/now.svg" || exit
cat >compare.py <<'PYTHON'
import re
import sys

NUMBER = re.compile(r"(?<![\w#.])-?\d+(?:\.\d+)?(?![\w.])")
kept, now = (open(path, encoding="utf-8").read().split("\n") for path in sys.argv[1:])
wrong = ["lines: %d, not %d" % (len(kept), len(now))] if len(kept) != len(now) else []
for number, (old, new) in enumerate(zip(kept, now), 1):
    # What stands between tags is text: a tick that says 0.3 says exactly that.
    texts = [re.findall(r">([^<]*)", line) for line in (old, new)]
    shapes = [re.sub(r"> *[^<]*", ">", line) for line in (old, new)]
    places = [[float(one) for one in NUMBER.findall(shape)] for shape in shapes]
    near = len(places[0]) == len(places[1]) and all(abs(a - b) <= 1 for a, b in zip(*places))
    if texts[0] != texts[1] or NUMBER.sub("", shapes[0]) != NUMBER.sub("", shapes[1]) or not near:
        wrong.append("docs/figure1.svg, line %d: %s, not %s" % (number, old, new))
print("\n".join(wrong[:5] + ["`scripts/picture` draws it anew"]) if wrong else "the same")
PYTHON
python3 compare.py "$REPO/docs/figure1.svg" now.svg
# A mark elsewhere, another model, another colour: each is seen.
for change in 's/cx="376.36"/cx="378.36"/' 's/GLM-5.2/GLM-5.3/' 's/#0072b2/#0072b3/'; do
	sed "$change" now.svg >changed.svg
	python3 compare.py changed.svg now.svg | grep -c '^docs/figure1.svg, line'
done
