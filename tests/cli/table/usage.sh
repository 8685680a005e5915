# A wrong command line says what is wrong with it, and exits 2.
for line in '--format xml correct' '--width 39 correct' '--width 1001 correct' '--width x correct' '--columns best --format csv correct' '--width 80 --format md correct' \
	'--list --format csv' '--list --rows x' '--rows x' 'correct one two' '--list one two' '--nothing' '--format'; do
	"$PTXSEAL" table $line
	echo "exit code $?"
done 2>&1 | sed '/^usage:/,/^See/d'
