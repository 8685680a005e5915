# docs/tasks.md: flashinfer-bench reads every definition and workload and drops nothing.
"${JUDGES:-python3}" "$REPO/tests/judges/check_trace_schema.py" "$REPO"
