# Wrong command lines exit 2 and say what is wanted.
for line in '' 'ptxbench' 'other DIR' 'ptxbench DIR more' 'ptxbench DIR --into' 'ptxbench DIR --what' \
	'ptxbench DIR --commit main' 'ptxbench DIR --date 2026-01-01' 'ptxbench DIR --commit 0123456 --date 2025-06-31'; do
	# shellcheck disable=SC2086
	"$PTXSEAL" import $line 2>error && exit 1
	echo "$? $(head -n 1 error)"
done
