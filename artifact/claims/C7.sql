-- claim: C7
-- title: GEMM is closest to the library
-- statement: Each frontier model comes closer to the library on GEMM than on any attention task
-- paper: the authors' blog post on PTXBench, 2026-08-17: GEMM is close, attention is not
-- evidence: reported
-- source: ptxbench
-- expect: HOLDS
-- column: pairs | integer | models times architectures
-- column: gemm_first | integer | pairs whose best speedup on GEMM is above that of each attention task
-- column: least_gemm | fixed 3 | least best speedup on GEMM of a pair
-- column: greatest_attention | fixed 3 | greatest best speedup on an attention task of a pair
-- denominator: least_gemm, greatest_attention | time of the vendor library on the same workload
-- note: reading: by best speedup, per model and architecture. The libraries differ (cuBLAS for GEMM, cuDNN for attention), so the
-- | distance to the library compares the tasks only as far as the libraries are equally good
WITH pair AS (
	SELECT r.model, r.arch, max(b.best_speedup) FILTER (WHERE f.op_family = 'gemm') AS gemm,
		max(b.best_speedup) FILTER (WHERE f.op_family <> 'gemm') AS attention
	FROM run r JOIN fact_task f USING (task) JOIN trajectory_limit b USING (run_id)
	WHERE r.planned_trajectories = 12 AND r.retrieval = 'none'
		AND r.model NOT IN (SELECT base_model FROM fact_sft) AND r.model NOT IN (SELECT model FROM fact_sft)
		AND b.turn_limit = (SELECT max(l.turn_limit) FROM turn_limit l)
	GROUP BY r.model, r.arch
)
SELECT sum(gemm > attention) = count(*) AS holds, count(*) AS pairs, sum(gemm > attention) AS gemm_first,
	min(gemm) AS least_gemm, max(attention) AS greatest_attention
FROM pair;
-- lineage: gemm_first, least_gemm, greatest_attention
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN fact_task f USING (task)
WHERE r.planned_trajectories = 12 AND r.retrieval = 'none'
	AND r.model NOT IN (SELECT base_model FROM fact_sft) AND r.model NOT IN (SELECT model FROM fact_sft)
	AND t.speedup = (SELECT max(b.best_speedup) FROM trajectory_limit b WHERE b.run_id = t.run_id);
