# docs/query.md, "Keys": an agent's key goes to the endpoint, in whatever header it stands, and nowhere else; one that comes back is taken out of what is kept, or the body is not kept.
. "$REPO/tests/cli/agents/common"
endpoint
record echo sent
grep -o 'Max core file size *0 *0 ' "/proc/$proxy/limits" | tr -s ' '
ask "$(body Greet)" -H 'X-Agent-Session: seven' -H 'Cookie: a=cookie-of-the-agent' -H 'api-key: second-planted-key-99' >echo.txt
grep -o 'x-agent-session[^,}]*' echo.txt
grep -o 'api-key[^,}]*' echo.txt | sed 's/second-planted-key-99/KEY/'
grep -c 'cookie-of-the-agent' echo.txt || true
ended
for case in key_in_error key_in_answer key_escaped key_in_pieces; do
	echo "== $case"
	record $case $case
	ask "$(body Greet)" >answer.txt
	grep -c -- "$key" answer.txt || true
	# A prompt that holds the key is not sent.
	ask "$(body "My key is $key")" | sed "s/$key/KEY/"
	# However it is spelled, also in JSON within a text.
	for spelled in "${key//-/\\u002d}" "${key//d/\\u0064}" "{\\\"k\\\":\\\"${key//-/\\\\u002d}\\\"}"; do
		ask "$(body "My key is $spelled")" | grep -o 'R-KEP-003","\|\[[0-9]* '
	done
	ended
	records $case | grep -oE '"(failure|redacted)":[^,]*'
done
play key_in_pieces
ask "$(body Greet)"
ended
no_key
! grep -rl second-planted-key-99 b || exit 1
