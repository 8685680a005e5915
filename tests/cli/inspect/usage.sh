# The command line's own faults.
for arguments in '' 'a b' '--arch' '--bad a'; do
	# shellcheck disable=SC2086 # several arguments
	"$PTXSEAL" inspect $arguments 2>&1 | head -n 1
done
