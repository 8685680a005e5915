# The judge of measured figures sees a sample that is moved by a fifth of a pixel, a throttled pair that is not marked, one sample in another's series, a corner of a clock's line that is moved, a bar that is longer, a share that
# is another, an interval of errors that is shorter, a limit that is moved, a figure that is missing, and of the figures of all candidates a mark, an interval, a bar, a rule and a number of the CSV.
command -v gnuplot >/dev/null || { echo 'no gnuplot'; exit 77; }
"$PTXSEAL" report --output report "$REPO" >/dev/null || exit
page=kernels/mha_bwd_d128--wgmma-tma.html
judge() { # what is broken, the file, a program of python that changes `text`
	cp "report/$2" kept
	FILE=report/$2 EDIT=$3 python3 - <<'END'
import os, re
text = before = open(os.environ["FILE"], encoding="utf-8").read()
exec(os.environ["EDIT"])
assert text != before
open(os.environ["FILE"], "w", encoding="utf-8").write(text)
END
	python3 "$REPO/tests/judges/check_measured.py" report "$REPO" >verdict && echo "$1: not seen"
	echo "$1: $(grep -v '^[a-z_]* *[a-z]*  *[0-9]*$' verdict | sed 's/[0-9.]*[0-9]/N/g' | head -n 1 | cut -c 1-110)"
	cp kept "report/$2"
}
judge moved $page 'text = re.sub(r"cy=\"(\d+)\.\d+\"", lambda m: "cy=\"%d.99\"" % (int(m.group(1)) + 1), text, count=1)'
judge throttled kernels/gemm_n7168_k5120--tvm-ffi.html 'text = re.sub(r"(<title>throttled</title>\n)<path[^\n]*\n", r"\1", text, count=1)'
judge series $page 'text = text.replace("<title>warm-up, not counted</title>", "<title>counted</title>", 1)'
judge line $page 'text = re.sub(r"(class=\"line\"[^>]* d=\"M\S+ \S+ \S+ )(\d+)", lambda m: m.group(1) + str(int(m.group(2)) - 1), text, count=1)'
judge bar $page 'text = re.sub(r"(<path class=\"bar\" stroke[^M]*M\S+ \S+ \S+ )(\d+)", lambda m: m.group(1) + str(int(m.group(2)) + 1), text, count=1)'
judge share $page 'text = text.replace(">5.88 %<", ">5.89 %<", 1)'
judge errors $page 'text = re.sub(r"(<title>dQ</title>\n<path class=\"interval\"[^M]*M\S+ )(\d+)", lambda m: m.group(1) + str(int(m.group(2)) - 1), text, count=1)'
judge limit $page 'text = re.sub(r"(<title>strict allows</title>\n<path[^M]*M\S+ )(\d+)", lambda m: m.group(1) + str(int(m.group(2)) + 7), text, count=1)'
judge figure $page 'text = re.sub(r"<svg (?:(?!</svg>).)*<title>SM clock.*?</svg>", "", text, flags=re.S)'
judge mark figures/measured_errors.svg 'text = re.sub(r"(<circle class=\"mark\"[^\n]*\n)", r"\1\1", text, count=1)'
judge interval figures/measured_clock.svg 'text = re.sub(r"(class=\"interval\"[^M]*M)(\d+)", lambda m: m.group(1) + str(int(m.group(2)) - 1), text, count=1)'
judge work figures/measured_work.svg 'text = re.sub(r"<path class=\"bar\" stroke[^\n]*\n", "", text, count=1)'
judge rule figures/measured_speed.svg 'text = re.sub(r"<path class=\"muted\"[^\n]*\n", "", text, count=1)'
judge csv figures/measured_speed.csv 'text = text.replace("0.161907489", "0.161907589", 1)'
