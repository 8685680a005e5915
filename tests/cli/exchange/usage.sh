# Wrong command lines exit 2 and say what is wanted.
for line in 'import flashinfer-trace DIR' 'import flashinfer-trace --source lab' 'import flashinfer-trace DIR --source lab more' \
	'import flashinfer-trace DIR --source lab --arch hopper' 'import trajectories DIR --source lab --arch ampere' 'import trajectories DIR --what' \
	'import kernelbench eval_results.json' 'export' 'export flashinfer-trace' 'export csv DIR' 'export flashinfer-trace DIR b more' \
	'export flashinfer-trace DIR --what'; do
	# shellcheck disable=SC2086
	"$PTXSEAL" $line 2>error && exit 1
	echo "$? $(head -n 1 error)"
done
