# A reader that goes away, as head does, cuts nothing off half-way (no death by SIGPIPE), and is told nothing that it knows: an exit code and no message, whichever command wrote, little or much.
mkfifo pipe
for line in help --version 'help query' rules 'rules --markdown' "table --list $REPO" "explain --sql SELECT(1) $REPO"; do
	exec 3<>pipe 4>pipe 3<&- # a pipe that has a writer and no longer a reader
	# shellcheck disable=SC2086
	"$PTXSEAL" $line >&4 || echo "${line%% /*}: exit $?" >>codes
	exec 4>&-
done
cat codes
"$PTXSEAL" rules | head -n 1 | cut -d ' ' -f 1
