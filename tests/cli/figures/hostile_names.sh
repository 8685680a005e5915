# Names of models that would be markup, commands or formats to a browser, a shell or gnuplot are drawn as they are.
command -v gnuplot >/dev/null || { echo 'no gnuplot'; exit 77; }
cp -R "$REPO/artifact" "$REPO/tasks" .
name="<i>'\`touch hacked\`\$(touch hacked)\"; system('touch hacked') %s {/Symbol a}_b^c@x &amp; \\\\101"
name=$name python3 - <<'END'
import json, os, pathlib
for path in [*pathlib.Path("artifact/runs").glob("*/run.json"), *pathlib.Path("artifact/facts").glob("*.jsonl")]:
    text = path.read_text()
    path.write_text(text.replace('"GLM-5.2"', json.dumps(os.environ["name"], ensure_ascii=False)))
END
"$PTXSEAL" report --output out . >/dev/null
echo "exit $?"
find . -name hacked
shown=$(printf '%s' "$name" | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g')
for figure in turn_limits fast_p reasoning; do
	grep -cF -- ">$shown</text>" out/figures/$figure.svg
done
grep -o '>&lt;i&gt;[^<]*</text>' out/figures/figure1.svg | sort -u
python3 -c 'import sys, xml.etree.ElementTree as ET; [ET.parse(path) for path in sys.argv[1:]]' out/figures/*.svg
"$PTXSEAL" derive --out derived . >/dev/null
python3 "$REPO/tests/judges/check_figures.py" out/figures derived >judged || head -n 3 judged
