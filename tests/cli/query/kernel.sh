# Answers that are a kernel.cu are lowered: the compiler's complaint is told, and what compiles stands in the bundle as a candidate like any other, from which a replay or a rebuild starts.
. "$REPO/tests/cli/query/common"
. "$REPO/tests/cli/query/tools"
query talk_cuda cuda --form kernel.cu --trajectories 1 --turns 2 | sed -n '/turns/p; /outcomes/p'
server_gone
cut -d, -f3- b/artifact/runs/cuda/evaluations.jsonl | grep -o '"outcome":"[a-z_]*"\|"rule":"[^"]*"'
ls "b/artifact/candidates/$task/cuda-000-01"
feedback=$(sed -n '1s/.*"feedback":"\([0-9a-f]*\)".*/\1/p' b/artifact/runs/cuda/turns.jsonl)
grep -oE 'identifier "[a-z_]*" is undefined' "b/artifact/objects/sha256/${feedback:0:2}/$feedback"
! grep -qF -e /tmp -e "$TMPDIR" b/artifact/runs/cuda/evaluations.jsonl || echo 'a directory of this machine is recorded'
frozen cuda | tail -n 1
"$PTXSEAL" rebuild b | sed -E 's/[0-9a-f]{64}/HEX/g; s/ptxas [0-9.]+/ptxas V/g'
