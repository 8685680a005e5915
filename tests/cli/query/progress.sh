# On a terminal one line says how far the run is, from before the first reply: turns, correct ones, the best speedup, tokens, money, time left. It is cut where the terminal ends, and gone at the end. In a pipe there is none.
. "$REPO/tests/cli/query/common"
. "$REPO/tests/cli/query/device"
echo '{"currency":"USD","date":"2026-01-31","models":[{"completion_per_million":"1000","model":"m","prompt_per_million":"1"}],"schema":"ptxseal-prices/1","source":"made up"}' >prices.json
measured=(--measure --trials 8 --seconds 2 --memcheck off --prices prices.json --trajectories 2 --turns 4)
python3 "$REPO/tests/cli/query/terminal" "$PTXSEAL" query --endpoint "http://127.0.0.1:$port/talk_runs/v1" --model m --task "$task" --workload small --form ptx --seed 0 --max-tokens 900 --run r "${measured[@]}" b >shown
python3 - <<'PYTHON'
import re
lines, summary = open("shown", newline="").read().rsplit("\r\x1b[K", 1)
lines = lines.split("\x1b[?7l\r\x1b[K")[1:]
assert all(line.endswith("\x1b[?7h") for line in lines), lines
lines = [line[:-5] for line in lines]
print(lines[0])
shown = [line for line in lines if re.fullmatch(r"\d of 8 turns, [12] correct, best 0\.\d+, \d+ tokens, USD 0\.\d{6}(, at most \d+ (s|min) left)?", line)]
print(bool(shown), any(", at most " in line for line in lines[1:]), summary.split()[:3])
PYTHON
query talk_runs piped "${measured[@]}" 2>&1 >out | wc -c
