# Candidates that would be right, or fast, if a check were missing (R-RPL-001, R-RPL-002): each is what it is. The two that are correct gained nothing: 0.8, as one that does the work has.
. "$REPO/tests/cli/replay/common"
tiny_task
candidate answers_when_asked_first first_by_variable '.visible .global .u32 calls;'
candidate answers_first_by_luck first_by_luck
candidate tires tires
candidate rarely_wrong rarely_wrong
candidate keeps_answer keeps_answer
candidate by_address by_address
candidate usual_values usual_values
candidate zeros zeros
candidate less_precise less_precise
candidate thief thief
candidate mutates_when_timed mutates_when_timed
# Time enough for 40 pairs on a busy machine, too: among them three calls are looked at.
"$PTXSEAL" replay --workload small --trials 8 --seconds 30 --memcheck off --into b --run r --brief --no-evidence b >out || echo "exit $?"
# What is drawn decides when a call that is rarely wrong shows.
still <out | sed -E 's/(C of a trial) [a-z]+ timing.*/\1/; s/^([^ ]*rarely_wrong .*) unknown,.*; R-/\1 unknown; R-/'
echo '-- which trial showed it'
for name in tires mutates_when_timed usual_values; do
	python3 - "b/artifact/replays/r-$task/$name.json" <<'END'
import json, sys
record = json.load(open(sys.argv[1]))
first = next(t for t in record["trials"] if t["strict"] == "fail" or t["input_bytes_changed"] > 0)
print(record["candidate"]["name"], first["stage"], first["values"], first["input_bytes_changed"])
END
done
echo '-- variables'
grep -o '"has_variables":[a-z]*' b/artifact/replays/r-$task/answers_when_asked_first.json b/artifact/replays/r-$task/answers_first_by_luck.json | sed 's/.*\///'
