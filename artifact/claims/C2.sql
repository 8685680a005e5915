-- claim: C2
-- title: Backward attention is harder than GEMM
-- statement: Fewer turns are correct on backward attention than on GEMM
-- paper: arXiv 2608.17379, abstract: success rates fall substantially on complex attention backward workloads
-- evidence: reported
-- source: ptxbench
-- expect: HOLDS
-- column: other_blackwell | fixed 1 | percent of turns, GEMM on Blackwell
-- column: backward_blackwell | fixed 1 | percent of turns, backward attention on Blackwell
-- column: other_hopper | fixed 1 | percent of turns, GEMM on Hopper
-- column: backward_hopper | fixed 1 | percent of turns, backward attention on Hopper
-- column: architectures | integer | architectures on which the backward interval lies wholly below the other
-- column: pairs | integer | models times architectures
-- column: pairs_below | integer | pairs of which the same is true taken alone
-- denominator: other_blackwell, backward_blackwell, other_hopper, backward_hopper | turn records of the three frontier models on those
-- | tasks, 12 trajectories a task
-- note: reading: the paper gives no measure of substantial. The most lenient is taken: pooled over the three frontier models, the 95 %
-- | Wilson interval of backward attention lies wholly below the other on both architectures. Every stricter reading includes this one;
-- | the percentages show how far the fall goes. Turns of one trajectory depend on each other, so the intervals are narrower than the
-- | truth
WITH rated AS (
	SELECT r.model, r.arch, f.op_family, sum(b.turns) AS turns, sum(b.correct_turns) AS correct
	FROM run r JOIN fact_task f USING (task) JOIN trajectory_limit b USING (run_id)
	WHERE r.planned_trajectories = 12 AND r.retrieval = 'none'
		AND r.model NOT IN (SELECT base_model FROM fact_sft) AND r.model NOT IN (SELECT model FROM fact_sft)
		AND b.turn_limit = (SELECT max(l.turn_limit) FROM turn_limit l)
	GROUP BY r.model, r.arch, f.op_family
),
pooled AS (SELECT arch, op_family, sum(turns) AS turns, sum(correct) AS correct FROM rated GROUP BY arch, op_family),
compared AS (
	SELECT o.arch, wilson_high(w.correct, w.turns) < wilson_low(o.correct, o.turns) AS below,
		CAST(100 * o.correct AS REAL) / o.turns AS other, CAST(100 * w.correct AS REAL) / w.turns AS backward
	FROM pooled o JOIN pooled w ON w.arch = o.arch AND w.op_family = 'mha_backward' WHERE o.op_family = 'gemm'
),
alone AS (
	SELECT wilson_high(w.correct, w.turns) < wilson_low(o.correct, o.turns) AS below
	FROM rated o JOIN rated w ON w.arch = o.arch AND w.model = o.model AND w.op_family = 'mha_backward' WHERE o.op_family = 'gemm'
)
SELECT sum(below) = count(*) AS holds, max(other) FILTER (WHERE arch = 'blackwell') AS other_blackwell,
	max(backward) FILTER (WHERE arch = 'blackwell') AS backward_blackwell, max(other) FILTER (WHERE arch = 'hopper') AS other_hopper,
	max(backward) FILTER (WHERE arch = 'hopper') AS backward_hopper, sum(below) AS architectures,
	(SELECT count(below) FROM alone) AS pairs, (SELECT sum(below) FROM alone) AS pairs_below
FROM compared;
-- lineage: other_blackwell, other_hopper
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN fact_task f USING (task)
WHERE r.planned_trajectories = 12 AND r.retrieval = 'none'
	AND r.model NOT IN (SELECT base_model FROM fact_sft) AND r.model NOT IN (SELECT model FROM fact_sft)
	AND f.op_family = 'gemm' AND t.correct;
-- lineage: backward_blackwell, backward_hopper
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN fact_task f USING (task)
WHERE r.planned_trajectories = 12 AND r.retrieval = 'none'
	AND r.model NOT IN (SELECT base_model FROM fact_sft) AND r.model NOT IN (SELECT model FROM fact_sft)
	AND f.op_family = 'mha_backward' AND t.correct;
