-- title: Runs, trajectories and turns by model and architecture
-- rebuilds: new
-- evidence: reported
-- key: model, arch
-- column: model | text | model as the source names it, or all
-- column: arch | text | hopper, blackwell, or all
-- column: runs | integer counts runs | runs
-- column: planned_trajectories | integer | trajectories that the runs planned
-- column: trajectories | integer counts trajectories | trajectories with a turn record
-- column: short_trajectories | integer counts trajectories | those with fewer turns than planned
-- column: planned_turns | integer | turns that the runs planned
-- column: turns | integer counts turns | turn records
-- column: missing_turns | integer | planned_turns - turns
-- column: correct_turns | integer counts turns | Correct ones
-- column: target_turns | integer counts turns | Correct ones whose PTX text has the target letter
-- column: mean_reasoning_tokens | fixed 1 | reasoning tokens a turn
-- denominator: mean_reasoning_tokens | turns whose tokens are known
WITH scope AS (SELECT run_id, model, arch FROM run UNION ALL SELECT run_id, 'all', 'all' FROM run),
run_trajectories AS MATERIALIZED (
	SELECT r.run_id, r.planned_trajectories, r.planned_trajectories * r.planned_turns AS planned_turns,
		count(t.trajectory) AS trajectories,
		count(t.trajectory) FILTER (WHERE t.turns < r.planned_turns) AS short_trajectories
	FROM run r LEFT JOIN trajectory t USING (run_id) GROUP BY r.run_id
),
run_turns AS MATERIALIZED (
	SELECT run_id, count(*) AS turns, sum(correct) AS correct_turns, sum(correct AND has_target) AS target_turns,
		sum(reasoning_tokens) AS tokens, count(reasoning_tokens) AS known
	FROM turn GROUP BY run_id
)
SELECT s.model, s.arch, count(*) AS runs, sum(j.planned_trajectories) AS planned_trajectories,
	sum(j.trajectories) AS trajectories,
	sum(j.short_trajectories) AS short_trajectories, sum(j.planned_turns) AS planned_turns, ifnull(sum(n.turns), 0) AS turns,
	sum(j.planned_turns) - ifnull(sum(n.turns), 0) AS missing_turns, ifnull(sum(n.correct_turns), 0) AS correct_turns,
	ifnull(sum(n.target_turns), 0) AS target_turns, CAST(sum(n.tokens) AS REAL) / sum(n.known) AS mean_reasoning_tokens
FROM scope s JOIN run_trajectories j USING (run_id) LEFT JOIN run_turns n USING (run_id)
GROUP BY s.model, s.arch
ORDER BY s.model = 'all', s.model, s.arch;
-- lineage: runs, trajectories, turns, mean_reasoning_tokens
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) WHERE :model IN (r.model, 'all')
	AND :arch IN (r.arch, 'all') ORDER BY t.turn_id;
-- lineage: short_trajectories, missing_turns
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN trajectory s ON s.run_id = t.run_id
	AND s.trajectory = t.trajectory AND s.turns < r.planned_turns
WHERE :model IN (r.model, 'all') AND :arch IN (r.arch, 'all') ORDER BY t.turn_id;
-- lineage: correct_turns
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) WHERE :model IN (r.model, 'all') AND :arch IN (r.arch, 'all')
	AND t.correct ORDER BY t.turn_id;
-- lineage: target_turns
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
WHERE :model IN (r.model, 'all') AND :arch IN (r.arch, 'all') AND t.correct AND t.has_target ORDER BY t.turn_id;
-- lineage: planned_trajectories, planned_turns
SELECT 'artifact/runs/' || r.run || '/run.json' AS file, 1 AS line FROM run r
WHERE :model IN (r.model, 'all') AND :arch IN (r.arch, 'all') ORDER BY r.position, r.run;
