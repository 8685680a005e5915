# docs/tasks.md: changed UUIDs, a changed size and a duplicate key are each named.
mkdir docs
cp "$REPO/docs/tasks.md" docs/
cp -R "$REPO/tasks" tasks
sed -i 's/d3bcb902/d3bcb903/g' tasks/mha_bwd_d64/facts.json tasks/mha_bwd_d64/workloads.jsonl
sed -i 's/"M":8192/"M":8193/' tasks/gemm_n7168_k5120/workloads.jsonl
sed -i 's/"trials": 3/"trials": 3, "trials": 3/' tasks/mha_with_lse_d64/facts.json
sed -i 's/b05b78bf/b05b78be/' tasks/mha_with_lse_d128_causal/workloads.jsonl
python3 "$REPO/tests/judges/check_tasks.py" .
