-- title: Figure 2, the fine-tune s1 on its 96 turns a task
-- rebuilds: Figure 2
-- evidence: reported
-- source: ptxbench
-- key: task
-- column: task | text | task
-- column: runs | integer counts runs | runs that count
-- column: trained | integer | 1: the task was a source of the model's training set
-- column: trajectories | integer counts trajectories | trajectories whose prompt tag the figure keeps
-- column: turns | integer counts turns | their turn records
-- column: correct_turns | integer counts turns | Correct ones among them
-- column: percent_correct | fixed 1 | 100 * correct_turns / turns
-- column: wilson_low | fixed 1 | lower end of the 95 % Wilson interval of percent_correct; not published
-- column: wilson_high | fixed 1 | upper end of it; not published
-- column: best_speedup | fixed 2 | greatest speedup of these turns; empty if none is Correct
-- denominator: percent_correct, wilson_low, wilson_high | turns (96 = 12 trajectories of 8 turns)
-- denominator: best_speedup | time of the vendor library on the same workload
-- note: which turns count. A run of 20 trajectories is five prompt tags of four trajectories, in plan order (upstream's plans at commit
-- | 74fca3e). Upstream's later plans (491860b) have three of these tags; the figure counts the 12 trajectories of the three:
-- | fact_prompt_plan, kept. That trajectory numbers follow the plan's order is an inference: no published file names a turn's prompt tag.
-- | All 22 published cells rebuild under it.
-- note: which runs count. Of the published ones (source ptxbench) the s1 runs of 20 trajectories whose name does not say nopatched. The figure leaves out the two backward tasks
-- | at head dimension 96 (no Correct turn); they stand here too. The GQA runs have four trajectories and no plan of tags, and are left
-- | out here as there.
SELECT r.task, count(DISTINCT r.run_id) AS runs,
	max(EXISTS (SELECT 1 FROM fact_training_overlap o WHERE o.model = r.model AND o.task = r.task)) AS trained,
	count(*) AS trajectories, sum(b.turns) AS turns, sum(b.correct_turns) AS correct_turns,
	CAST(100 * sum(b.correct_turns) AS REAL) / sum(b.turns) AS percent_correct,
	100 * wilson_low(sum(b.correct_turns), sum(b.turns)) AS wilson_low,
	100 * wilson_high(sum(b.correct_turns), sum(b.turns)) AS wilson_high,
	max(b.best_speedup) AS best_speedup
FROM run r
JOIN fact_task f ON f.task = r.task
JOIN fact_prompt_plan p ON p.op_family = f.op_family AND p.kept
JOIN trajectory_limit b ON b.run_id = r.run_id AND b.trajectory BETWEEN p.first_trajectory AND p.last_trajectory
WHERE r.source = 'ptxbench' AND r.model = 'Qwen3.6-27B-s1' AND r.checklist <> 'nopatched' AND r.planned_trajectories = 20
	AND b.turn_limit = (SELECT max(l.turn_limit) FROM turn_limit l)
GROUP BY r.task
ORDER BY r.task;
-- lineage: runs, trajectories, turns
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
JOIN fact_task f ON f.task = r.task
JOIN fact_prompt_plan p ON p.op_family = f.op_family AND p.kept AND t.trajectory BETWEEN p.first_trajectory AND p.last_trajectory
WHERE r.source = 'ptxbench' AND r.model = 'Qwen3.6-27B-s1' AND r.checklist <> 'nopatched' AND r.planned_trajectories = 20 AND r.task = :task;
-- lineage: correct_turns, percent_correct, wilson_low, wilson_high
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
JOIN fact_task f ON f.task = r.task
JOIN fact_prompt_plan p ON p.op_family = f.op_family AND p.kept AND t.trajectory BETWEEN p.first_trajectory AND p.last_trajectory
WHERE r.source = 'ptxbench' AND r.model = 'Qwen3.6-27B-s1' AND r.checklist <> 'nopatched' AND r.planned_trajectories = 20 AND r.task = :task
	AND t.correct;
-- lineage: best_speedup
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
JOIN fact_task f ON f.task = r.task
JOIN fact_prompt_plan p ON p.op_family = f.op_family AND p.kept AND t.trajectory BETWEEN p.first_trajectory AND p.last_trajectory
WHERE r.source = 'ptxbench' AND r.model = 'Qwen3.6-27B-s1' AND r.checklist <> 'nopatched' AND r.planned_trajectories = 20 AND r.task = :task
	AND t.speedup = :best_speedup;
-- lineage: trained
SELECT 'artifact/facts/training_overlap.jsonl' AS file, o.line FROM fact_training_overlap o
WHERE o.model = 'Qwen3.6-27B-s1' AND o.task = :task ORDER BY o.line;
