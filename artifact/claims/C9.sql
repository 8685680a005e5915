-- claim: C9
-- title: Repair-conditioned fine-tuning helps several tasks
-- statement: The fine-tune s1 has more correct turns than its base on several of the five core tasks
-- paper: arXiv 2608.17379, abstract: repair-conditioned training improves several tasks
-- evidence: reported
-- source: ptxbench
-- expect: HOLDS
-- column: tasks | integer | core tasks
-- column: improved | integer | tasks on which the 95 % Wilson interval of s1 lies wholly above that of the base
-- column: solved | integer | tasks on which s1 has a Correct turn
-- column: base_correct | integer | Correct turns of the base on these tasks
-- column: s1_correct | integer | Correct turns of s1 on these tasks
-- column: s1_turns | integer | turn records of s1 on these tasks
-- note: reading: several is at least three of five; improved means disjoint intervals, not merely a higher count
-- note: the runs are those of sft_series: 160 turns a task and model
-- note: four of the five tasks were sources of the training set (C17), so this is not yet generalization; GEMM was not
WITH rated AS (
	SELECT r.model, r.task, sum(b.turns) AS turns, sum(b.correct_turns) AS correct
	FROM run r JOIN fact_task f USING (task) JOIN trajectory_limit b USING (run_id)
	WHERE f.paper_set = 'core' AND r.arch = 'hopper' AND r.retrieval = 'none' AND b.turn_limit = (SELECT max(l.turn_limit)
		FROM turn_limit l)
		AND (r.checklist <> 'nopatched' OR f.op_family = 'gemm')
	GROUP BY r.model, r.task
),
compared AS (
	SELECT o.task, wilson_low(s.correct, s.turns) > wilson_high(o.correct, o.turns) AS improved, o.correct AS base_correct,
		s.correct AS s1_correct, s.turns AS s1_turns
	FROM rated s JOIN rated o ON o.task = s.task AND o.model = (SELECT base_model FROM fact_sft WHERE model = s.model)
	WHERE s.model = 'Qwen3.6-27B-s1'
)
SELECT sum(improved) >= 3 AS holds, count(*) AS tasks, sum(improved) AS improved,
	count(*) FILTER (WHERE s1_correct > 0) AS solved, sum(base_correct) AS base_correct,
	sum(s1_correct) AS s1_correct, sum(s1_turns) AS s1_turns
FROM compared;
-- lineage: s1_correct
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN fact_task f USING (task)
WHERE r.model = 'Qwen3.6-27B-s1' AND f.paper_set = 'core' AND r.checklist <> 'nopatched' AND t.correct;
