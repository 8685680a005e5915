# Every measured candidate of the repository's own bundle has a page, whose numbers are its record's; it needs no other file, and is the same whatever the surroundings.
command -v python3 >/dev/null || { echo 'there is no python3 here'; exit 77; }
"$PTXSEAL" report --output one "$REPO" >log || [ $? -eq 1 ]
(cd / && LC_ALL=tr_TR.UTF-8 TZ=Asia/Tokyo HOME=/ "$PTXSEAL" report --output "$OLDPWD/two" "$REPO" >"$OLDPWD/log") || [ $? -eq 1 ]
diff -r one/kernels two/kernels
python3 "$REPO/tests/cli/report/pages.py" one/kernels/*.html
python3 - "$REPO" <<'END'
import glob, html, json, os, re, sys

def shown(text, value):
    return f'<data value="{value}">' in text

report = open('one/report.html').read()
for path in sorted(glob.glob(sys.argv[1] + '/artifact/replays/*/*.json')):
    record = json.load(open(path))
    task, name = record['problem']['task'], record['candidate']['name']
    file = f'kernels/{task}--{name}.html'
    text = open('one/' + file).read()
    wrong = []
    timing, evidence = record['timing'], record['evidence']
    values = [record['accounting'][k] for k in ('planned', 'passed', 'failed', 'not_run')]
    values += [evidence['share'], evidence['operations_share']['gmma'], evidence['operations_share']['warp'], evidence['warps'], record['problem']['flops']]
    values += [x[k] for x in evidence['lines'] for k in ('instructions', 'executed', 'effective', 'threads_true', 'operations')]
    if timing:
        values += [timing[k][m] for k in ('speedup', 'cycles', 'control', 'candidate_ns', 'baseline_ns') for m in ('median', 'low', 'high', 'count', 'rank')]
        values += [timing['pairs'], timing['throttled'], timing['candidate_hz'], timing['hidden_ns']]
        rows = [','.join(map(str, x)) for x in timing['samples']]
        wrong += [x for x in rows if x not in text]
    wrong += [x for x in values if x is not None and not shown(text, x)]
    # What could not be counted has no number, and the page says why.
    why = [html.escape(x['text'], quote=False) for x in evidence['functions'] if x['state'] not in ('executed', 'not_executed')]
    wrong += [x for x in why or ['?'] if f'not counted (counting: failed, {x})' not in text] if None in values else []
    wrong += [x['sha256'] for x in record['candidate']['files'] if x['sha256'] not in text]
    for function in evidence['functions']:
        for offset, what, executed, threads in function['at']:
            if not re.search(rf'<span id=S\d+-{offset:x} class="m \w+"> *{executed:,} +{threads / executed:.3g} +{offset:04x} +\S* ?<mark>{re.escape(what)}</mark>', text):
                wrong.append((function['function'], offset))
    ptx = open(os.path.join(sys.argv[1], record['candidate']['directory'], 'kernel.ptx')).read()
    lines = re.search(r'<pre class="listing ptx"[^>]*>(.*?)</pre>', text, re.S).group(1)
    source = re.sub('<[^>]*>', '', lines).replace('&lt;', '<').replace('&gt;', '>').replace('&amp;', '&')
    # Lines of more than two KiB are cut with a word on how much.
    if [a[:1000] for a in source.split('\n')] != [a[:1000] for a in ptx.split('\n')]:
        wrong.append('source')
    marked = re.findall(r'<mark class="(\w+)">(\S*?)</mark>', lines)
    mma = len(re.findall(r'(?m)^\s*(?:@\S+\s+)?(?:wgmma\.mma_async|mma\.sync)', ptx))
    if sum(m[1].startswith(('wgmma.mma_async', 'mma.sync')) for m in marked) != mma:
        wrong.append('marks')
    if '✓ there, these bytes' not in text or 'It is signed by' not in text:
        wrong.append('vouchers')
    if f'<a href="{file}">' not in report:
        wrong.append('no link')
    if 'STAND-IN' in text:
        wrong.append('a stand-in')
    print(task, name, wrong[:5] or 'as recorded')
END
