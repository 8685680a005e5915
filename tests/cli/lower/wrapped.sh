# Distributions, conda and module systems install scripts that start the toolkit's programs: what is compiled with, caged and named in records is the program behind the script.
. "$REPO/tests/cli/lower/common"
tiny_task
host plain "$REPO/tests/candidates/host/plain.cu"
mkdir bin elsewhere
ptxas=$(readlink -f -- "$(command -v ptxas || ls /usr/local/cuda/bin/ptxas)")
for _ in 1 2 3; do # what stands on PATH may itself be such a script
	[ "$(head -c 2 -- "$ptxas" | tr -d '\0')" != '#!' ] || ptxas=$(sed -n 's/^exec \(.*\) "\$@"$/\1/p' "$ptxas")
done
for program in ptxas nvcc; do
	printf '#!/bin/sh\nexec %s/%s "$@"\n' "$(dirname -- "$ptxas")" $program >bin/$program
	chmod +x bin/$program
done
export PATH=$PWD/bin:$PATH
lower "artifact/candidates/$task/plain" | head -n 1
replay r --no-evidence >out
sed -n 1p out
grep -q "$(sha256sum "$ptxas" | cut -d ' ' -f 1)" "b/artifact/replays/r-$task/plain.json" || echo 'the record does not name the program'
