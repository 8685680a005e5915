# Candidates whose source, names and words are made to break a page, one of which ptxas refuses for bytes that are not ASCII; measured by the stand-in for a device. All of it is shown as text, pages stay small, and
# say in large letters that no GPU was there.
. "$REPO/tests/cli/replay/common"
command -v python3 >/dev/null || { echo 'there is no python3 here'; exit 77; }
tiny_task
candidate right gemm_right
candidate refused gemm_right
python3 - "b/artifact/candidates/$task" <<'END'
import sys
ascii = b'</pre></main><script>alert(1)</script><img src=x onerror=alert(2)> \x1b[31;1m\x07 & &lt; " \' %s %n --> ]]>'
other = b' \xe2\x80\xaereversed\xe2\x80\xac \xe2\x80\x8b\xef\xbb\xbf \xff\xfe\xc0\x80 \xed\xa0\x80'
for name, nasty in ('right', ascii), ('refused', ascii + other):
    place = f'{sys.argv[1]}/{name}'
    ptx = open(place + '/kernel.ptx', 'rb').read()
    ptx = ptx.replace(b'{\n', b'{\n// ' + nasty + b'\n// ' + b'y' * (1 << 20) + b'\n/* wgmma.mma_async.sync <b>\n*/ bar.sync 0; // wgmma.fence.sync\n', 1)
    open(place + '/kernel.ptx', 'wb').write(ptx)
    text = open(place + '/candidate.json').read()
    text = text.replace('"origin":"test"', '"origin":"</dd><script>alert(3)</script>\\u202e\\u001b[2J<b onmouseover=alert(4)>"')
    open(place + '/candidate.json', 'w').write(text)
END
replay r --no-evidence >out || [ $? -eq 1 ]
"$PTXSEAL" report --output d b >out || [ $? -eq 1 ]
python3 "$REPO/tests/cli/report/pages.py" d/kernels/*.html
python3 - "$task" <<'END'
import re, sys
source = '// &lt;/pre&gt;&lt;/main&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(2)&gt; <span class=odd>␛</span>[31;1m<span class=odd>␇</span> &amp; &amp;lt; " \' %s %n --&gt; ]]&gt;'
other = (' <span class=odd>U+202E</span>reversed<span class=odd>U+202C</span> <span class=odd>U+200B</span><span class=odd>U+FEFF</span> <span class=odd>\\xFF</span><span class=odd>\\xFE</span>'
         '<span class=odd>\\xC0</span><span class=odd>\\x80</span> <span class=odd>\\xED</span><span class=odd>\\xA0</span><span class=odd>\\x80</span>')
for name, more in ('right', ''), ('refused', other):
    text = open(f'd/kernels/{sys.argv[1]}--{name}.html').read()
    print(name, re.search('<dt>outcome</dt><dd><span[^>]*><span[^>]*>.</span> (\\w+)', text).group(1), 'scripts', len(re.findall('<script', text)), 'large', '<strong>STAND-IN DEVICE</strong>' in text)
    for want in (source + more + '\n</span>', 'bytes more</span>\n</span>', '&lt;/dd&gt;&lt;script&gt;alert(3)&lt;/script&gt;<span class=odd>U+202E</span><span class=odd>␛</span>[2J&lt;b onmouseover=alert(4)&gt;',
                 'None of the instructions that matter as evidence stands in this source.'):
        print(want in text, want[:22].strip())
    print('small', len(text) < 300000)
END
