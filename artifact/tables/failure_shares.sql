-- title: Share of each outcome among the planned turns and among the failed ones
-- rebuilds: new
-- evidence: reported
-- source: ptxbench
-- key: model, arch, task, outcome
-- column: model | text | model as the source names it, or all
-- column: arch | text | hopper, blackwell, or all
-- column: task | text | task, or all
-- column: outcome | text | one of the nine published outcomes, or missing
-- column: turns | integer | planned turns with this outcome
-- column: planned_turns | integer | planned turns
-- column: percent | fixed 2 | 100 * turns / planned_turns
-- column: wilson_low | fixed 2 | lower end of the 95 % Wilson interval of percent
-- column: wilson_high | fixed 2 | upper end of it
-- column: percent_of_failures | fixed 2 | 100 * turns / failed turns; empty for Correct, for missing, and where none failed
-- denominator: percent, wilson_low, wilson_high | planned_turns
-- denominator: percent_of_failures | turn records that are not Correct
-- note: the outcomes of a row's model, architecture and task add up to planned_turns; the counts stand side by side in failures
WITH scope AS (
	SELECT run_id, model, arch, task FROM run
	UNION ALL SELECT run_id, model, arch, 'all' FROM run
	UNION ALL SELECT run_id, 'all', 'all', 'all' FROM run
),
fate AS MATERIALIZED (
	SELECT run_id, outcome, turns FROM run_outcome
	UNION ALL
	SELECT r.run_id, 'missing', (r.planned_trajectories - count(t.trajectory)) * r.planned_turns
		+ ifnull(sum(r.planned_turns - t.turns), 0)
	FROM run r LEFT JOIN trajectory t USING (run_id) GROUP BY r.run_id
),
label AS (SELECT outcome, outcome_id FROM outcome WHERE NOT measured UNION ALL SELECT 'missing', 1 + max(outcome_id) FROM outcome),
planned AS (
	SELECT s.model, s.arch, s.task, sum(r.planned_trajectories * r.planned_turns) AS planned_turns
	FROM scope s JOIN run r USING (run_id) GROUP BY s.model, s.arch, s.task
),
counted AS (
	SELECT s.model, s.arch, s.task, o.outcome, sum(o.turns) AS turns
	FROM scope s JOIN fate o USING (run_id) GROUP BY s.model, s.arch, s.task, o.outcome
),
filled AS (
	SELECT p.model, p.arch, p.task, l.outcome, l.outcome_id, ifnull(c.turns, 0) AS turns, p.planned_turns,
		sum(ifnull(c.turns, 0)) FILTER (WHERE l.outcome NOT IN ('Correct', 'missing'))
			OVER (PARTITION BY p.model, p.arch, p.task) AS failed
	FROM planned p CROSS JOIN label l
	LEFT JOIN counted c ON c.model = p.model AND c.arch = p.arch AND c.task = p.task AND c.outcome = l.outcome
)
SELECT model, arch, task, outcome, turns, planned_turns, CAST(100 * turns AS REAL) / planned_turns AS percent,
	100 * wilson_low(turns, planned_turns) AS wilson_low, 100 * wilson_high(turns, planned_turns) AS wilson_high,
	CASE WHEN outcome NOT IN ('Correct', 'missing') AND failed > 0 THEN CAST(100 * turns AS REAL) / failed END AS percent_of_failures
FROM filled
ORDER BY model, arch, task, outcome_id;
-- lineage: turns, percent, wilson_low, wilson_high, percent_of_failures
SELECT t.turn_id FROM turn t JOIN run_scope s USING (run_id) JOIN outcome o USING (outcome_id)
WHERE s.model = :model AND s.arch = :arch AND s.task = :task AND o.outcome = :outcome;
-- lineage: planned_turns
SELECT 'artifact/runs/' || r.run || '/run.json' AS file, 1 AS line FROM run r JOIN run_scope s USING (run_id)
WHERE s.model = :model AND s.arch = :arch AND s.task = :task ORDER BY r.position, r.run;
