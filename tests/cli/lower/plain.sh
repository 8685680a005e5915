# Host code after upstream's contract, from its source through TVM-FFI's headers to a replay (by the stand-in for the driver). The record and the frozen files have the source, too.
. "$REPO/tests/cli/lower/common"
tiny_task
host plain "$REPO/tests/candidates/host/plain.cu"
dir=artifact/candidates/$task/plain
lower "$dir" | hide
ls b/$dir
replay r --no-evidence >out
sed -n 1p out
python3 - b/artifact/replays/r-$task/plain.json <<'END'
import json, sys
print(*sorted(f['path'].rsplit('/', 1)[1] for f in json.load(open(sys.argv[1]))['candidate']['files']))
END
