-- title: Answers of models that were compiled and looked at, and not run
-- rebuilds: new
-- evidence: static
-- key: run
-- column: source | text | who asked: `query`, `agents`, or the source of a submission
-- column: model | text | as it was asked for
-- column: evidence | text | grade of the run; `static`: which instructions stand in the code is known, not what they do
-- column: run | text | directory name of the run
-- column: arch | text | hopper or blackwell
-- column: task | text | the task
-- column: trained | text | yes, no: what the model was tuned on has the task or not; not said
-- column: trajectories | integer counts trajectories | trajectories that have a turn
-- column: planned | integer | turns that were planned
-- column: turns | integer counts turns | turns: answers, and words of the model that are none
-- column: no_kernel | integer counts turns | no kernel could be extracted
-- column: does_not_compile | integer counts turns | compile_error
-- column: rejected | integer counts turns | a rule of the benchmark is broken
-- column: compiles | integer counts turns | unknown: it compiles; whether it is correct nobody has looked
-- column: target | integer counts turns | of those that compile: target instructions stand in the code
-- column: target_percent | fixed 2 | 100 * target / turns
-- column: wilson_low | fixed 2 | lower end of its 95 % Wilson interval
-- column: wilson_high | fixed 2 | upper end of it
-- denominator: target_percent, wilson_low, wilson_high | turns: what the model said, whatever it was
-- note: nothing here counts as correct, and no table that counts correct turns has these runs
WITH size AS (SELECT run_id, count(*) AS trajectories, sum(turns) AS turns FROM trajectory GROUP BY run_id),
told AS (
	SELECT run_id, count(*) FILTER (WHERE outcome = 'extraction_error') AS no_kernel, count(*) FILTER (WHERE outcome = 'compile_error') AS does_not_compile,
		count(*) FILTER (WHERE outcome = 'rejected') AS rejected, count(*) FILTER (WHERE outcome = 'unknown') AS compiles,
		count(*) FILTER (WHERE outcome = 'unknown' AND has_target) AS target
	FROM turn GROUP BY run_id
)
SELECT r.source, r.model, r.evidence, r.run, r.arch, r.task, ifnull(m.trained, 'not said') AS trained, s.trajectories,
	r.planned_trajectories * r.planned_turns AS planned, s.turns, t.no_kernel, t.does_not_compile, t.rejected, t.compiles, t.target,
	CAST(100 * t.target AS REAL) / s.turns AS target_percent, 100 * wilson_low(t.target, s.turns) AS wilson_low,
	100 * wilson_high(t.target, s.turns) AS wilson_high
FROM run r JOIN size s USING (run_id) JOIN told t USING (run_id) JOIN trained m USING (run_id)
ORDER BY r.source, r.model, r.arch, r.task, r.run;
-- lineage: evidence, trajectories, planned, turns
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) WHERE r.run = :run;
-- lineage: no_kernel
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN outcome o USING (outcome_id) WHERE r.run = :run AND o.outcome = 'extraction_error';
-- lineage: does_not_compile
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN outcome o USING (outcome_id) WHERE r.run = :run AND o.outcome = 'compile_error';
-- lineage: rejected
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN outcome o USING (outcome_id) WHERE r.run = :run AND o.outcome = 'rejected';
-- lineage: compiles
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN outcome o USING (outcome_id) WHERE r.run = :run AND o.outcome = 'unknown';
-- lineage: target, target_percent, wilson_low, wilson_high
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN outcome o USING (outcome_id) WHERE r.run = :run AND o.outcome = 'unknown' AND t.has_target;
