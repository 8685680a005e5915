# What counting comes to, with a stand-in for CUPTI: shares of the task's work, a decoy, and each way of not knowing (R-EVD-001). The call that is counted has inputs that nobody knew, and its result is
# looked at: code that does something else where it is counted gains nothing.
. "$REPO/tests/cli/replay/common"
tiny_task
# Two multiplies of m64n8k16: 2 x 64 x 8 x 16 operations, a quarter a warp. The task has 2 x 48 x 32 x 64.
multiply() { # NAME FUNCTION
	candidate "$1" "$2"
	sed -i 's|^\tret;|\t.reg .f32 %f<4>;\n\t.reg .u64 %d;\n\t.reg .pred %p;\n\tmov.f32 %f0, 0f00000000;\n\tmov.f32 %f1, %f0;\n\tmov.f32 %f2, %f0;\n\tmov.f32 %f3, %f0;\n\tld.param.u64 %d, [a];\n\tsetp.ne.u64 %p, %d, 0;\n\twgmma.fence.sync.aligned;\n\twgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0,%f1,%f2,%f3}, %d, %d, %p, 1, 1, 0, 0;\n\twgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;\n\tld.param.u64 %d, [c];\n\tst.global.f32 [%d], %f0;\n\tst.global.f32 [%d+4], %f1;\n\tret;|' \
		"b/artifact/candidates/$task/$1/kernel.ptx"
}
multiply right gemm_right
multiply otherwise otherwise_when_counted
export PTXSEAL_CUDA_LIBS=$stand_in/counts:$stand_in PTXSEAL_STAND_IN=$PWD/device
"$PTXSEAL" replay --workload small --trials 3 --seconds 0 --memcheck off --no-evidence --into b --run first --brief b >/dev/null
at=$("$PTXSEAL" inspect --list b/artifact/candidates/$task/right/kernel.sm_90a.cubin | sed -n 's/^ *\([0-9a-f]*\)  HGMMA[^ ]* *.*/\1/p' | head -n 1)
at=$((16#$at))
try() { # WORDS...: behind "well" in the stand-in's file
	echo "-- $*" | sed "s/^\(-- \)$at /\1AT /"
	echo "well $*" >device
	chmod 644 device
	rm -rf out
	"$PTXSEAL" replay --workload small --trials 3 --seconds 0 --memcheck off --into out --run r --brief b >brief || echo "exit $?"
	python3 - out/artifact/replays/r-$task/*.json <<'END'
import json, sys
for path in sys.argv[1:]:
    record = json.load(open(path))
    evidence, trials = record["evidence"], record["trials"]
    function = evidence["functions"][0]
    call = function["call"]
    known = call is not None and call["seed"] != "1" and call["seed"] in [t["seed"] for t in trials if t["values"] == "normal"]
    print(record["candidate"]["name"], record["outcome"]["label"], evidence["state"], evidence["evidence"], evidence["arch_tag"], "share", evidence["share"],
          "bytes", evidence["bytes_share"]["least"], "decoy" if evidence["decoy"] else "", call and call["strict"], "drawn" if known else "not drawn")
    print("  " + function["text"].split(", the library")[0])
END
}
try "$at" 24 768
try "$at" 1 32
try "$at" 24 0
try nothing
try "$at" 24 768 drops
try refuses
try 8 24 768
try 65536 24 768
