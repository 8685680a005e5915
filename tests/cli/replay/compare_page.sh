# compare --page writes what it prints as a page: the same verdicts, what moved, which fact differs, what only one has. It is the same twice, shows hostile text as text, and is not written into a bundle or after an error.
. "$REPO/tests/cli/replay/common"
command -v python3 >/dev/null || { echo 'there is no python3 here'; exit 77; }
tiny_task
candidate right gemm_right
candidate wrong gemm_wrong
replay one --no-evidence >out || [ $? -eq 1 ]
mkdir -p two/artifact
cp -r b/tasks two
cp -r b/artifact/replays two/artifact
to=two/artifact/replays/one-$task
hidden=$(grep -o '"hidden_ns":[-0-9]*' "$to/right.json")
sed -i "s/$hidden/\"hidden_ns\":$((${hidden#*:} + 1500000 - 1483000))/" "$to/right.json"
sed -i -E "s/\",1500000,1200000,/\",1483000,1200000,/g; s/\"1500000\"/\"1483000\"/g; s/(high|low|median)\":\"0\.8[0-9]*\"/\1\":\"0.809170600\"/g" "$to/right.json"
sed -i 's/"driver_version":"unknown"/"driver_version":"<script>alert(1)<\/script>\\u202e"/' "$to/right.json"
rm "$to/wrong.json"
page() { # what it says, from a bundle and another
	local code=0

	"$PTXSEAL" compare --page "$1" b two >out 2>err || code=$?
	echo "exit $code"
	tail -n 1 out
}
page p.html
page q.html
cmp p.html q.html
python3 "$REPO/tests/cli/report/pages.py" p.html
python3 - <<'END'
import re, html
text = open('p.html').read()
part = lambda name: html.unescape(re.sub('\\s+', ' ', re.sub('<[^>]*>', ' ', re.search(f'<section id={name}>(.*?)</section>', text, re.S).group(1))))
print(part('moved'))
print(re.findall('device.nvml.driver_version.*', part('facts'))[0][:70])
print(part('only'))
print('large', '<strong>STAND-IN DEVICE</strong>' in text, 'scripts', text.count('<script'))
printed = re.findall('^  (same|within tolerance|DIFFERS) ', open('out').read(), re.M)
shown = re.findall('</span> (same|within tolerance|DIFFERS)</span></td><td class=value>', text.split('<section id=pairs>')[1])
print('the same verdicts', printed == shown, len(shown))
END
rm p.html
echo '-- refused'
set +o pipefail
"$PTXSEAL" compare --page b/artifact/p.html b two 2>&1 | grep -o 'R-BND-[0-9]*'
"$PTXSEAL" compare --page p.html b nosuch 2>&1 | grep -o 'R-RPL-[0-9]*'
mkdir -p none/artifact
"$PTXSEAL" compare --page p.html b none 2>&1 | grep -o 'R-RPL-[0-9]*'
ls p.html 2>/dev/null || echo 'no page'
