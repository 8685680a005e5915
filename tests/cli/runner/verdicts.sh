# The case runner itself: everything that a case can do wrong fails, everything that it may do passes.
mkdir -p cases/bad cases/good cases/slow
new() {
	cat >"cases/$1.sh"
}
expect() {
	printf "$2" >"cases/$1"
}

echo 'exit 1' | new bad/exit_code
echo 'exit 0' | new bad/exit_zero_where_three_is_expected
expect bad/exit_zero_where_three_is_expected.sh.exit '3\n'
echo 'echo surprise' | new bad/output_where_none_is_expected
echo 'echo surprise >&2' | new bad/error_where_none_is_expected
echo 'echo same' | new bad/last_newline_differs
expect bad/last_newline_differs.sh.stdout.exact 'same'
: | new bad/nothing_where_output_is_expected
expect bad/nothing_where_output_is_expected.sh.stdout.exact 'something\n'
printf 'echo a; echo b; echo c' | new bad/glob_of_fewer_lines
expect bad/glob_of_fewer_lines.sh.stdout.glob 'a\nb\n'
printf 'echo a; echo b' | new bad/glob_of_more_lines
expect bad/glob_of_more_lines.sh.stdout.glob '...\na\nb\nc\n'
printf 'echo a.c' | new bad/glob_line
expect bad/glob_line.sh.stdout.glob 'b*c\n'
echo 'kill -9 $$' | new bad/killed
echo 'sleep 60' | new slow/timeout

echo 'exit 3' | new good/exit_code
expect good/exit_code.sh.exit '3\n'
printf 'echo a; echo b; echo c; echo b; echo d' | new good/glob
expect good/glob.sh.stdout.glob 'a\n...\nb\n[c-e]\n...\n'
printf 'echo $RANDOM; echo $RANDOM >&2' | new good/ignored
: >cases/good/ignored.sh.stdout.ignore
: >cases/good/ignored.sh.stderr.ignore
printf 'test -z "$(ls -A)" && test "$HOME" = "$PWD" && test "$LC_ALL" = C && test -z "${LEAK-}" && test -x "$PTXSEAL"' |
	new good/clean_surroundings
printf 'printf "no\\000newline"' | new good/exact_bytes
printf 'no\0newline' >cases/good/exact_bytes.sh.stdout.exact
printf 'test -z "$(cat)"' | new good/empty_input
printf 'echo no such thing here; exit 77' | new good/skipped

echo 'trap -p; umask' | new good/as_from_a_terminal
expect good/as_from_a_terminal.sh.stdout.exact '0022\n'
umask 077
trap '' PIPE INT HUP
LEAK=1 PTXSEAL=$PTXSEAL "$REPO/tests/cli/run" --dir cases bad good
echo "exit code $?"
trap - PIPE INT HUP
"$REPO/tests/cli/run" --dir cases --timeout 2 slow
echo "exit code $?"
