# R-TRJ, R-JSN: trajectories that are not as their format says, or do not agree with each other, are refused, and nothing is written.
. "$REPO/tests/cli/exchange/common"
bundle
spoil() { # RULE FILE SED-EXPRESSION [OPTION...]
	local rule=$1 file=runs/first/$2 change=$3
	shift 3
	trajectories
	sed -i "$change" "$file"
	refused 3 "$rule" import trajectories runs --source lab --into b "$@"
}
zero=trajectories/exp_000.json two=trajectories/exp_002.json
spoil R-JSN-001 $zero 's/}$//'
spoil R-JSN-002 $zero 's/first try/\xff/'
spoil R-JSN-003 $zero 's/"exit_status"/"config":{},"exit_status"/'
spoil R-JSN-007 $zero 's/first try/\\ud800/'
spoil R-JSN-011 $zero 's/"messages"/"turns"/'
spoil R-JSN-011 $zero 's/"info":{/"info":7,"more":{/'
spoil R-TRJ-001 $zero 's/mini-swe-agent-1.1/mini-swe-agent-2/'
spoil R-TRJ-001 $zero 's/.*/[]/'
spoil R-TRJ-002 $zero 's/"role":"user"/"role":"owner"/'
spoil R-TRJ-002 $zero 's/"role":"user","content":"Write this one."/"role":"assistant","content":""/'
spoil R-TRJ-002 $zero 's/"first try"/{"text":"first try"}/'
spoil R-TRJ-002 $zero 's/"status":"PASSED",//'
spoil R-TRJ-004 plan.json 's/"exp_index":1/"exp_index":2/'
spoil R-TRJ-004 plan.json 's/,{"exp_index":2,"num_turns":4}//'
spoil R-TRJ-004 plan.json 's/"num_turns":4/"num_turns":2/g'
spoil R-TRJ-004 plan.json 's/\[.*\]/[]/'
spoil R-JSN-011 plan.json 's/"num_turns":4/"num_turns":"4"/'
spoil R-TRJ-005 $two 's/model-1/model-2/'
spoil R-TRJ-005 $zero "s/$uuid/00000000-0000-0000-0000-000000000000/"
spoil R-TRJ-005 $zero "s/$task/mha/"
spoil R-TRJ-005 $zero 's/NVIDIA H100 80GB HBM3/NVIDIA A100/'
spoil R-TRJ-005 $zero 's/first/first/' --arch blackwell
spoil R-TRJ-005 $zero 's/first/first/' --model other

trajectories
mv runs/first/$zero runs/first/trajectories/exp_0.json
refused 3 R-TRJ-003 import trajectories runs --source lab --into b
mv runs/first/trajectories/exp_0.json runs/first/trajectories/exp_999.json
refused 3 R-TRJ-004 import trajectories runs --source lab --into b
rm runs/first/trajectories/exp_999.json
ln -s /etc/passwd runs/first/trajectories/exp_000.json
refused 3 R-TRJ-003 import trajectories runs --source lab --into b

trajectories
rm runs/first/plan.json runs/first/$zero
refused 2 R-TRJ-006 import trajectories runs --source lab --into b
refused 2 R-TRJ-006 import trajectories runs --source lab --task $task --workload $uuid --into b
refused 3 R-TRJ-005 import trajectories runs --source lab --task none --workload $uuid --arch hopper --into b
refused 3 R-TRJ-005 import trajectories runs --source lab --task $task --workload ${uuid/9/8} --arch hopper --into b
rm -r runs/first
refused 3 R-SRC-002 import trajectories runs --source lab --into b
