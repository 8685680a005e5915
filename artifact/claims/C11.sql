-- claim: C11
-- title: What the fine-tune learnt carries over unevenly
-- statement: On tasks it was not trained on, s1 solves GEMM, all of head dimension 64 and forward attention of head dimension 96, and
-- | neither backward attention of head dimension 96 nor GQA
-- paper: arXiv 2608.17379, abstract: generalization remains uneven; the authors' blog post on PTXBench, 2026-08-17: the same list
-- evidence: reported
-- source: ptxbench
-- expect: HOLDS
-- column: untrained | integer | tasks of s1 that its training set was not made of
-- column: solved | integer | those with a Correct turn
-- column: gemm | integer | GEMM tasks solved
-- column: d64 | integer | tasks of head dimension 64 solved (of four)
-- column: d96_forward | integer | forward tasks of head dimension 96 solved (of two)
-- column: d96_backward | integer | backward tasks of head dimension 96 solved (of two)
-- column: gqa | integer | GQA tasks solved (of three)
-- column: gqa_wilson_high | fixed 1 | upper end of the 95 % Wilson interval of the percent of GQA turns correct
-- denominator: gqa_wilson_high | turn records of the three GQA runs (96)
-- note: reading: to solve is at least one Correct turn in all of its turns (160 a task, 32 a GQA task), on all 20 trajectories and not
-- | only the 12 that Figure 2 shows
WITH rated AS (
	SELECT r.task, f.op_family, f.head_dim, sum(b.turns) AS turns, sum(b.correct_turns) AS correct
	FROM run r JOIN fact_task f USING (task) JOIN trajectory_limit b USING (run_id)
	WHERE r.model = 'Qwen3.6-27B-s1' AND r.checklist <> 'nopatched' AND b.turn_limit = (SELECT max(l.turn_limit) FROM turn_limit l)
		AND NOT EXISTS (SELECT 1 FROM fact_training_overlap o WHERE o.model = r.model AND o.task = r.task)
	GROUP BY r.task, f.op_family, f.head_dim
),
counted AS (
	SELECT count(*) AS untrained, sum(correct > 0) AS solved, sum(correct > 0) FILTER (WHERE op_family = 'gemm') AS gemm,
		sum(correct > 0) FILTER (WHERE op_family LIKE 'mha%' AND head_dim = 64) AS d64,
		sum(correct > 0) FILTER (WHERE op_family = 'mha_forward' AND head_dim = 96) AS d96_forward,
		sum(correct > 0) FILTER (WHERE op_family = 'mha_backward' AND head_dim = 96) AS d96_backward,
		sum(correct > 0) FILTER (WHERE op_family LIKE 'gqa%') AS gqa,
		100 * wilson_high(sum(correct) FILTER (WHERE op_family LIKE 'gqa%'),
			sum(turns) FILTER (WHERE op_family LIKE 'gqa%')) AS gqa_wilson_high
	FROM rated
)
SELECT gemm = 1 AND d64 = 4 AND d96_forward = 2 AND d96_backward = 0 AND gqa = 0 AS holds, counted.* FROM counted;
-- lineage: untrained
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
WHERE r.model = 'Qwen3.6-27B-s1' AND r.checklist <> 'nopatched'
	AND NOT EXISTS (SELECT 1 FROM fact_training_overlap o WHERE o.model = r.model AND o.task = r.task);
-- lineage: solved, gemm, d64, d96_forward, d96_backward, gqa
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
WHERE r.model = 'Qwen3.6-27B-s1' AND r.checklist <> 'nopatched' AND t.correct
	AND NOT EXISTS (SELECT 1 FROM fact_training_overlap o WHERE o.model = r.model AND o.task = r.task);
