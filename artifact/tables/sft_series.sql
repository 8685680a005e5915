-- title: The fine-tunes s0 to s6 beside their base, by task
-- rebuilds: new
-- evidence: reported
-- source: ptxbench
-- key: model, task, run
-- column: model | text | Qwen3.6-27B (the base) or a fine-tune of it
-- column: task | text | task
-- column: run | text | directory name of the run that counts
-- column: internal_name | text | upstream's name of the recipe; empty for the base
-- column: template | text | KernelGen: correct kernels; Fixit: repairs of failed kernels
-- column: scope | text | tasks and balance of the training set
-- column: reasoning_writer | text | model that wrote the reasoning of the training rows
-- column: rows | integer | rows of the training set
-- column: trained | integer | 1: the task is a source of the training set
-- column: trajectories | integer counts trajectories | trajectories of the run
-- column: trajectories_correct | integer counts trajectories | those with at least one Correct turn
-- column: turns | integer counts turns | turn records of the run
-- column: correct_turns | integer counts turns | Correct ones
-- column: percent | fixed 2 | 100 * correct_turns / turns
-- column: wilson_low | fixed 2 | lower end of the 95 % Wilson interval of percent
-- column: wilson_high | fixed 2 | upper end of it
-- column: target_turns | integer counts turns | Correct turns whose PTX text has the target letter
-- column: best_speedup | fixed 3 | greatest speedup; empty if no turn is Correct
-- denominator: percent, wilson_low, wilson_high | turns
-- denominator: best_speedup | time of the vendor library on the same workload
-- note: which runs count. Of a model's runs of a task those without the nopatched mark; the base ran GEMM only with it, so there that run
-- | counts
-- note: all five core tasks but GEMM are sources of every fine-tune's training set; s1 alone ran further tasks, none of which it was
-- | trained on
-- note: turns of one trajectory depend on each other (each sees the feedback of the last), so the interval is too narrow
WITH sized AS (SELECT model, arch, task, max(checklist <> 'nopatched') AS has_other FROM run GROUP BY model, arch, task),
chosen AS (
	SELECT r.* FROM run r JOIN sized USING (model, arch, task)
	WHERE r.arch = 'hopper' AND r.retrieval = 'none' AND (r.checklist <> 'nopatched' OR NOT has_other)
		AND (r.model IN (SELECT model FROM fact_sft) OR r.model IN (SELECT base_model FROM fact_sft))
)
SELECT c.model, c.task, c.run, s.internal_name, s.template, s.scope, s.reasoning_writer, s.rows,
	EXISTS (SELECT 1 FROM fact_training_overlap o WHERE o.model = c.model AND o.task = c.task) AS trained,
	count(*) AS trajectories, count(*) FILTER (WHERE b.correct_turns > 0) AS trajectories_correct, sum(b.turns) AS turns,
	sum(b.correct_turns) AS correct_turns, CAST(100 * sum(b.correct_turns) AS REAL) / sum(b.turns) AS percent,
	100 * wilson_low(sum(b.correct_turns), sum(b.turns)) AS wilson_low,
	100 * wilson_high(sum(b.correct_turns), sum(b.turns)) AS wilson_high,
	sum(b.target_turns) AS target_turns, max(b.best_speedup) AS best_speedup
FROM chosen c
JOIN trajectory_limit b ON b.run_id = c.run_id AND b.turn_limit = (SELECT max(l.turn_limit) FROM turn_limit l)
LEFT JOIN fact_sft s ON s.model = c.model
GROUP BY c.run_id
ORDER BY c.model, c.task, c.run;
-- lineage: internal_name, template, scope, reasoning_writer, rows
SELECT 'artifact/facts/sft.jsonl' AS file, s.line FROM fact_sft s WHERE s.model = :model;
-- lineage: trained
SELECT 'artifact/facts/training_overlap.jsonl' AS file, o.line FROM fact_training_overlap o WHERE o.model = :model
	AND o.task = :task;
-- lineage: trajectories, turns
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) WHERE r.run = :run;
-- lineage: trajectories_correct, correct_turns, percent, wilson_low, wilson_high
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) WHERE r.run = :run AND t.correct;
-- lineage: target_turns
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) WHERE r.run = :run AND t.correct AND t.has_target;
-- lineage: best_speedup
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) WHERE r.run = :run AND t.speedup = :best_speedup;
-- lineage: run
SELECT 'artifact/runs/' || r.run || '/run.json' AS file, 1 AS line FROM run r WHERE r.run = :run;
