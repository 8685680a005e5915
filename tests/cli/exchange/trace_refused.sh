# R-TRC, R-SRC, R-JSN: a data set that is not as flashinfer-bench would load it is refused with file and line, and nothing is written.
. "$REPO/tests/cli/exchange/common"
bundle
spoil() { # RULE FILE SED-EXPRESSION
	data_set
	sed -i "$3" "set/$2"
	refused 3 "$1" import flashinfer-trace set --source lab --into b
}
traces=traces/gemm/$task.jsonl definition=definitions/gemm/$task.json one=solutions/ann/one.json
spoil R-JSN-001 $traces '2s/}$//'
spoil R-JSN-001 $definition '1s/{/[/'
spoil R-JSN-003 $traces '1s/"status"/"log":"","status"/'
spoil R-JSN-011 $traces '1s/"status"/"more":1,"status"/'
spoil R-JSN-011 $traces '1s/0.75/-0.75/'
spoil R-JSN-011 $traces '1s/8192/8192.5/'
spoil R-JSN-011 $traces '1s/"random"/"random","seed":1/'
spoil R-JSN-011 $traces '3s/"hardware":"[^"]*"/"hardware":7/'
spoil R-JSN-005 $traces '1s/2\.0/1e999/'
spoil R-JSN-006 $traces '1s/what/\\u0000/'
spoil R-TRC-001 $traces '1s/PASSED/INCORRECT_NUMERICAL/'
spoil R-TRC-001 $traces '3s/COMPILE_ERROR/PASSED/'
spoil R-TRC-001 $traces '1s/"solution":"one"/"solution":null/'
spoil R-TRC-001 $traces '1s/"random"/"chance"/'
spoil R-TRC-002 $traces '1s/"solution":.*/"solution":null,"evaluation":null}/'
spoil R-TRC-002 workloads/gemm/$task.jsonl "1s/.*/$(trace one COMPILE_ERROR '' | sed 's|[&/]|\\&|g')/"
spoil R-JSN-011 $definition 's/"op_type"/"optype"/'
spoil R-TRC-001 $definition 's/"bfloat16"/"bf16"/'
spoil R-TRC-001 $definition '0,/"M",/s//"Q",/'
spoil R-TRC-001 $definition 's/"C": {/"A": {/'
spoil R-TRC-001 $one 's/"cuda",/"fortran",/'
spoil R-TRC-001 $one 's/kernel.cu::run/kernel.cu/'
spoil R-TRC-001 $one 's/kernel.cu::run/other.cu::run/'
spoil R-TRC-001 $one 's/"path":"kernel.cu"/"path":"..\/kernel.cu"/'
spoil R-TRC-001 $one 's/"path":"kernel.cu"/"path":"\/kernel.cu"/'
spoil R-TRC-001 $one 's/"target_hardware":\["cuda"\]/"target_hardware":[]/'
spoil R-TRC-003 $one 's/\("sources":\[\)\(.*\)\]/\1\2,\2]/'
spoil R-TRC-003 $one 's/"name":"one"/"name":"two"/'
spoil R-JSN-011 $one 's/"author"/"writer"/'

data_set
ln -s /etc/passwd set/traces/gemm/link.jsonl
refused 3 R-TRC-002 import flashinfer-trace set --source lab --into b
data_set
mkdir set/empty
refused 3 R-SRC-002 import flashinfer-trace set/empty --source lab --into b
sed -i 's/H100/A100/; s/B200/A100/' set/traces/gemm/$task.jsonl
refused 3 R-SRC-002 import flashinfer-trace set --source lab --into b
refused 3 R-IO-001 import flashinfer-trace nowhere --source lab --into b
data_set
for name in root ptxbench ptxseal ../up '' "$(printf 'x%.0s' {1..120})"; do
	refused 2 R-SRC-001 import flashinfer-trace set --source "$name" --into b
done
refused 2 R-BND-012 import flashinfer-trace set --source lab --into b/artifact

"$PTXSEAL" import flashinfer-trace set --source lab --into b >out
rm set/solutions/bob/three.json
refused 3 R-IMP-013 import flashinfer-trace set --source lab --into b

rm -r b
bundle
trajectories
data_set
sed -i 1q set/traces/gemm/$task.jsonl
"$PTXSEAL" import trajectories runs --source lab --into b >out
refused 3 R-IMP-013 import flashinfer-trace set --source lab --into b
