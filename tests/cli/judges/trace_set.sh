# docs/records.md, "FlashInfer Trace": flashinfer-bench loads what is exported and keeps all of it; what was changed it refuses.
python=${JUDGES:-python3}
"$PTXSEAL" export flashinfer-trace set "$REPO" >out || exit 1
"$python" "$REPO/tests/judges/check_trace_set.py" set || exit
spoil() { # FILE SED-EXPRESSION
	cp "set/$1" kept
	sed -i "$2" "set/$1"
	cmp -s kept "set/$1" && echo "nothing was changed in $1"
	"$python" "$REPO/tests/judges/check_trace_set.py" set >found && echo "not seen: $2 in $1"
	cp kept "set/$1"
}
traces=traces/gemm/gemm_n7168_k5120.jsonl
solution=solutions/ptxseal/gemm/gemm_n7168_k5120/gemm_n7168_k5120_plain.json
spoil $traces '1s/PASSED/TIMEOUT/'
spoil $traces '1s/"latency_ms":/"latency_ms":-/'
spoil $traces '1s/commit-only"/nobody"/'
spoil $traces '1s/8192/8191/'
spoil $solution 's/kernel.ptx::/other.ptx::/'
spoil $solution 's/"language"/"tongue"/'
spoil $solution 's/_plain"/_decoy"/'
exit 0
