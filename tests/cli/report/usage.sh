"$PTXSEAL" report --help | head -3
for arguments in '--nonsense' 'one two' '--output' '--key a --fingerprint b'; do
	# shellcheck disable=SC2086 # to be split
	"$PTXSEAL" report $arguments
	echo "exit code $?"
done
