for arguments in '--help' '-h' '--all' '--tests --tests' 'x'; do
	# shellcheck disable=SC2086
	"$REPO/scripts/setup" $arguments >stdout 2>stderr
	echo "setup $arguments: exit code $?, $(head -n 1 stdout stderr | grep '^usage')"
	"$REPO/scripts/ae" $arguments >stdout 2>stderr
	echo "ae $arguments: exit code $?, $(head -n 1 stdout stderr | grep '^usage')"
done
