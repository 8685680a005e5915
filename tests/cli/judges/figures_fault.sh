# The judge of figures sees a mark that is moved by a fifth of a pixel, one that is missing, one too many, an interval that is shorter, a tick beside its number, a cell of a CSV
# that is not the derived one, a mark in another's series and a script.
command -v gnuplot >/dev/null || { echo 'no gnuplot'; exit 77; }
"$PTXSEAL" report --output report "$REPO" >/dev/null && "$PTXSEAL" derive --out derived "$REPO" >/dev/null || exit
judge() { # what is broken, the file, a program of python that changes `text`
	rm -rf broken
	cp -R report/figures broken
	BROKEN=broken/$2 EDIT=$3 python3 - <<'END'
import os, re
text = before = open(os.environ["BROKEN"], encoding="utf-8").read()
exec(os.environ["EDIT"])
assert text != before
open(os.environ["BROKEN"], "w", encoding="utf-8").write(text)
END
	python3 "$REPO/tests/judges/check_figures.py" broken derived >verdict && echo "$1: not seen"
	echo "$1: $(grep -v '^[a-z_0-9]* *[a-z“”]*  *[0-9]*$' verdict | sed 's/[0-9.]*[0-9]/N/g' | head -n 1 | cut -c 1-100)"
}
judge moved fast_p.svg 'text = re.sub(r"cx=\"(\d+)\"", lambda m: "cx=\"%s.2\"" % m.group(1), text, count=2)'
judge missing figure1.svg 'text = re.sub(r"(<title>correct turn[^\n]*\n)<circle[^\n]*\n", r"\1", text, count=1)'
judge added release.svg 'text = re.sub(r"(<circle class=\"mark\"[^\n]*\n)", r"\1\1", text, count=1)'
judge shorter turn_limits.svg 'text = re.sub(r"(class=\"interval\"[^M]*M\S+ )(\d+)", lambda m: m.group(1) + str(int(m.group(2)) - 1), text, count=1)'
judge tick sft_series.svg 'text = text.replace(">10</text>", ">12</text>", 1)'
judge cell figure2.csv 'text = text.replace("19.8", "19.9", 1)'
judge swapped reasoning.svg 'text = text.replace("<title>Claude Opus 4.8</title>", "<title>x</title>", 1).replace("<title>GLM-5.2</title>", "<title>Claude Opus 4.8</title>", 1)'
judge script figure1.svg 'text = text.replace("</svg>", "<script>1</script></svg>")'
