# docs/ptxseal.1 knows every command of `ptxseal help` and every option of `ptxseal help COMMAND`, no others, and
# is clean to mandoc.
page=$REPO/docs/ptxseal.1
status=0

commands() {
	"$PTXSEAL" help | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p' | sort
}

# The options of one command's section of the page, as `--option`.
page_options() {
	awk -v command="$1" '/^\.Ss / {inside = ($2 == command)} /^\.S[hs] / && $2 != command {inside = 0} inside' "$page" |
		grep -o 'Fl Fl [a-z-]*' | sed 's/Fl Fl /--/' | sort -u
}

diff <(commands) <(sed -n 's/^\.Ss //p' "$page" | sort) || status=1
for command in $(commands); do
	diff <("$PTXSEAL" help "$command" | grep -o -- '--[a-z][a-z-]*' | grep -vx -- --help | sort -u) <(page_options "$command") >difference || {
		echo "options of $command (<: ptxseal help $command, >: the man page)"
		cat difference
		status=1
	}
done
if command -v mandoc >/dev/null; then
	mandoc -T lint -W warning "$page" || status=1
fi
exit $status
