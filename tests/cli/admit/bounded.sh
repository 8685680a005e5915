# What a submission makes admission spend is bounded (R-OBJ-003, R-SUB-037, R-JSN-012, R-LED-007): a file larger than any reader takes is refused unread, no file within its limit takes more than 128 MiB whatever stands in it, a plan allocates nothing before it is refused, one body is read once however many
# exchanges name it, and numbers cannot be chosen to collide. Memory stays where unpack and verify keep it, time near that of a harmless twin of the same size.
. "$REPO/tests/cli/agents/common"
. "$REPO/tests/cli/admit/asking"
export PYTHONDONTWRITEBYTECODE=1
endpoint
record plain session --source lab --turns 3 --agent curl
ask "$(body Greet)" >/dev/null
ended
archive
facts no scripted-1 >facts.json
"$PTXSEAL" submit --facts facts.json --key lab.key --into s b >submit.out 2>&1 || cat submit.out
mkdir b0
cp -r b/tasks b0/
mkdir b0/artifact
for way in 'as it is' 'an object of 256 MiB' 'packed, 60,000 exchanges' 'a manifest of 65 MiB' 'a key of 65 MiB' 'a cubin of 65 MiB' 'turns of 17 MiB' 'evaluations of 33 MiB' 'a list of 9 MiB' \
	'an object of 63 MiB of escapes' 'a response of many values' 'a request of many values' 'facts of many values' 'a record of many values' 'a source of many values' 'a statement of many values' \
	'keys as many as values' 'turns of 15 MiB' '35,000 exchanges' 'a list of 7 MiB' 'a plan of 10,000,000,000 turns' 'a plan of 1,000,001 turns' 'a plan of 10,000,000 turns' \
	'a request that 200 exchanges name' 'a response that 200 exchanges name' 'numbers that collide'; do
	python3 "$REPO/tests/cli/admit/bounded.py" "$way" "$PTXSEAL"
done
