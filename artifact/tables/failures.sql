-- title: What became of every planned turn, by model, architecture and task
-- rebuilds: new
-- evidence: reported
-- source: ptxbench
-- key: model, arch, task
-- column: model | text | model as the source names it, or all
-- column: arch | text | hopper, blackwell, or all
-- column: task | text | task, or all
-- column: runs | integer counts runs | runs
-- column: planned_turns | integer | planned trajectories times the turns each may have
-- column: correct | integer counts turns | turns of the outcome Correct
-- column: numerical_error | integer counts turns | turns of the outcome Numerical error
-- column: compilation_error | integer counts turns | turns of the outcome Compilation error
-- column: sanitize_timeout | integer counts turns | turns of the outcome Sanitize Timeout
-- column: profiling_service_timeout | integer counts turns | turns of the outcome Profiling Service Timeout
-- column: kernel_execution_timeout | integer counts turns | turns of the outcome Kernel Execution Timeout
-- column: extraction_error | integer counts turns | turns of the outcome Extraction error
-- column: runtime_error | integer counts turns | turns of the outcome Runtime error
-- column: other_error | integer counts turns | turns of the outcome Other error
-- column: missing | integer | planned turns without a record: what short trajectories lack
-- column: accounted | integer | the nine outcomes and missing added up; equals planned_turns
-- column: percent_correct | fixed 2 | 100 * correct / planned_turns
-- column: wilson_low | fixed 2 | lower end of the 95 % Wilson interval of percent_correct
-- column: wilson_high | fixed 2 | upper end of it
-- denominator: percent_correct, wilson_low, wilson_high | planned_turns: a turn that never took place is no success
-- note: all runs of the model label count, patched or not, whatever their size
-- note: an outcome is the first of nine patterns that the feedback text matches; a kernel's own output is part of that text
-- note: planned_turns comes from run.json, missing from what each trajectory lacks: that accounted equals planned_turns is a check, not a
-- | definition
WITH scope AS (
	SELECT run_id, model, arch, task FROM run
	UNION ALL SELECT run_id, model, arch, 'all' FROM run
	UNION ALL SELECT run_id, 'all', 'all', 'all' FROM run
),
run_counts AS MATERIALIZED (
	SELECT run_id,
		sum(turns) FILTER (WHERE outcome = 'Correct') AS correct,
		sum(turns) FILTER (WHERE outcome = 'Numerical error') AS numerical_error,
		sum(turns) FILTER (WHERE outcome = 'Compilation error') AS compilation_error,
		sum(turns) FILTER (WHERE outcome = 'Sanitize Timeout') AS sanitize_timeout,
		sum(turns) FILTER (WHERE outcome = 'Profiling Service Timeout') AS profiling_service_timeout,
		sum(turns) FILTER (WHERE outcome = 'Kernel Execution Timeout') AS kernel_execution_timeout,
		sum(turns) FILTER (WHERE outcome = 'Extraction error') AS extraction_error,
		sum(turns) FILTER (WHERE outcome = 'Runtime error') AS runtime_error,
		sum(turns) FILTER (WHERE outcome = 'Other error') AS other_error
	FROM run_outcome GROUP BY run_id
),
run_missing AS MATERIALIZED (
	SELECT r.run_id, r.planned_trajectories * r.planned_turns AS planned_turns,
		(r.planned_trajectories - count(t.trajectory)) * r.planned_turns + ifnull(sum(r.planned_turns - t.turns), 0) AS missing
	FROM run r LEFT JOIN trajectory t USING (run_id) GROUP BY r.run_id
),
counted AS (
	SELECT s.model, s.arch, s.task, count(*) AS runs, sum(m.planned_turns) AS planned_turns,
		ifnull(sum(c.correct), 0) AS correct,
		ifnull(sum(c.numerical_error), 0) AS numerical_error,
		ifnull(sum(c.compilation_error), 0) AS compilation_error,
		ifnull(sum(c.sanitize_timeout), 0) AS sanitize_timeout,
		ifnull(sum(c.profiling_service_timeout), 0) AS profiling_service_timeout,
		ifnull(sum(c.kernel_execution_timeout), 0) AS kernel_execution_timeout,
		ifnull(sum(c.extraction_error), 0) AS extraction_error,
		ifnull(sum(c.runtime_error), 0) AS runtime_error,
		ifnull(sum(c.other_error), 0) AS other_error,
		sum(m.missing) AS missing
	FROM scope s JOIN run_missing m USING (run_id) LEFT JOIN run_counts c USING (run_id)
	GROUP BY s.model, s.arch, s.task
)
SELECT model, arch, task, runs, planned_turns, correct, numerical_error, compilation_error, sanitize_timeout,
	profiling_service_timeout, kernel_execution_timeout, extraction_error, runtime_error, other_error, missing,
	correct + numerical_error + compilation_error + sanitize_timeout + profiling_service_timeout
		+ kernel_execution_timeout + extraction_error + runtime_error + other_error + missing AS accounted,
	CAST(100 * correct AS REAL) / planned_turns AS percent_correct,
	100 * wilson_low(correct, planned_turns) AS wilson_low, 100 * wilson_high(correct, planned_turns) AS wilson_high
FROM counted
ORDER BY model, arch, task;
-- lineage: runs
SELECT t.turn_id FROM turn t JOIN run_scope s USING (run_id)
WHERE s.model = :model AND s.arch = :arch AND s.task = :task;
-- lineage: correct, percent_correct, wilson_low, wilson_high
SELECT t.turn_id FROM turn t JOIN run_scope s USING (run_id) JOIN outcome o USING (outcome_id)
WHERE s.model = :model AND s.arch = :arch AND s.task = :task
	AND o.outcome = 'Correct';
-- lineage: numerical_error
SELECT t.turn_id FROM turn t JOIN run_scope s USING (run_id) JOIN outcome o USING (outcome_id)
WHERE s.model = :model AND s.arch = :arch AND s.task = :task
	AND o.outcome = 'Numerical error';
-- lineage: compilation_error
SELECT t.turn_id FROM turn t JOIN run_scope s USING (run_id) JOIN outcome o USING (outcome_id)
WHERE s.model = :model AND s.arch = :arch AND s.task = :task
	AND o.outcome = 'Compilation error';
-- lineage: sanitize_timeout
SELECT t.turn_id FROM turn t JOIN run_scope s USING (run_id) JOIN outcome o USING (outcome_id)
WHERE s.model = :model AND s.arch = :arch AND s.task = :task
	AND o.outcome = 'Sanitize Timeout';
-- lineage: profiling_service_timeout
SELECT t.turn_id FROM turn t JOIN run_scope s USING (run_id) JOIN outcome o USING (outcome_id)
WHERE s.model = :model AND s.arch = :arch AND s.task = :task
	AND o.outcome = 'Profiling Service Timeout';
-- lineage: kernel_execution_timeout
SELECT t.turn_id FROM turn t JOIN run_scope s USING (run_id) JOIN outcome o USING (outcome_id)
WHERE s.model = :model AND s.arch = :arch AND s.task = :task
	AND o.outcome = 'Kernel Execution Timeout';
-- lineage: extraction_error
SELECT t.turn_id FROM turn t JOIN run_scope s USING (run_id) JOIN outcome o USING (outcome_id)
WHERE s.model = :model AND s.arch = :arch AND s.task = :task
	AND o.outcome = 'Extraction error';
-- lineage: runtime_error
SELECT t.turn_id FROM turn t JOIN run_scope s USING (run_id) JOIN outcome o USING (outcome_id)
WHERE s.model = :model AND s.arch = :arch AND s.task = :task
	AND o.outcome = 'Runtime error';
-- lineage: other_error
SELECT t.turn_id FROM turn t JOIN run_scope s USING (run_id) JOIN outcome o USING (outcome_id)
WHERE s.model = :model AND s.arch = :arch AND s.task = :task
	AND o.outcome = 'Other error';
-- lineage: missing
SELECT t.turn_id FROM run_scope s JOIN run r USING (run_id) JOIN trajectory j ON j.run_id = r.run_id AND j.turns < r.planned_turns
JOIN turn t ON t.run_id = j.run_id AND t.trajectory = j.trajectory AND t.turn = j.turns - 1
WHERE s.model = :model AND s.arch = :arch AND s.task = :task;
-- lineage: planned_turns
SELECT 'artifact/runs/' || r.run || '/run.json' AS file, 1 AS line FROM run r JOIN run_scope s USING (run_id)
WHERE s.model = :model AND s.arch = :arch AND s.task = :task ORDER BY r.position, r.run;
