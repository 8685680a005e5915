# The page of a kernel that a model was asked for has what was said: prompt, response and feedback by hash, and their text.
. "$REPO/tests/cli/query/common"
. "$REPO/tests/cli/query/device"
query talk_runs r --trajectories 1 --measure --trials 8 --seconds 2 --memcheck off --target-speedup 0.7 >out
server_gone
"$PTXSEAL" report --output d b >out || [ $? -eq 1 ]
python3 "$REPO/tests/cli/report/pages.py" d/kernels/*.html
python3 - <<'END'
import glob, html, json, re
turns = [json.loads(x) for x in open('b/artifact/runs/r/turns.jsonl')]
for page in sorted(glob.glob('d/kernels/*.html')):
    text = open(page).read()
    turn = turns[int(page.split('-')[-1].split('.')[0])]
    said = re.search('<section id="said">(.*?)</section>', text, re.S).group(1)
    got = []
    for what in ('prompt', 'response', 'feedback'):
        path = f'artifact/objects/sha256/{turn[what][:2]}/{turn[what]}'
        body = re.search(f'<h3 id="said-{what}">{what}</h3>\n<p><code class=path>{path}</code></p>\n<details><summary>(\\d+) bytes</summary>\n<pre[^>]*>(.*?)</pre>', said, re.S)
        there = open('b/' + path, 'rb').read()
        got.append(int(body.group(1)) == len(there) and html.unescape(re.sub('<[^>]*>', '', body.group(2))).replace('␍', '\r')[:200] == there.decode()[:200])
    print(page.split('--')[-1], turn['outcome'], got)
END
