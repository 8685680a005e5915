-- title: Runs, trajectories and turns by model and architecture
-- rebuilds: new
-- evidence: reported
-- source: ptxbench
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
counted AS MATERIALIZED (
	SELECT r.run_id, r.planned_trajectories, r.planned_trajectories * r.planned_turns AS planned_turns, count(t.trajectory) AS trajectories,
		count(t.trajectory) FILTER (WHERE t.turns < r.planned_turns) AS short_trajectories, ifnull(sum(t.turns), 0) AS turns,
		ifnull(sum(t.tokens_known), 0) AS known, sum(t.tokens) AS tokens
	FROM run r LEFT JOIN trajectory t USING (run_id) GROUP BY r.run_id
),
correct AS MATERIALIZED (
	SELECT run_id, sum(correct_turns) AS correct_turns, sum(target_turns) AS target_turns FROM trajectory_limit
	WHERE turn_limit = (SELECT max(l.turn_limit) FROM turn_limit l) GROUP BY run_id
)
SELECT s.model, s.arch, count(*) AS runs, sum(c.planned_trajectories) AS planned_trajectories, sum(c.trajectories) AS trajectories,
	sum(c.short_trajectories) AS short_trajectories, sum(c.planned_turns) AS planned_turns, sum(c.turns) AS turns,
	sum(c.planned_turns) - sum(c.turns) AS missing_turns, ifnull(sum(n.correct_turns), 0) AS correct_turns,
	ifnull(sum(n.target_turns), 0) AS target_turns, CAST(sum(c.tokens) AS REAL) / sum(c.known) AS mean_reasoning_tokens
FROM scope s JOIN counted c USING (run_id) LEFT JOIN correct n USING (run_id)
GROUP BY s.model, s.arch
ORDER BY s.model = 'all', s.model, s.arch;
-- lineage: runs, trajectories, turns, mean_reasoning_tokens
SELECT t.turn_id FROM turn t JOIN run_scope s USING (run_id)
WHERE s.model = :model AND s.arch = :arch AND s.task = 'all';
-- lineage: short_trajectories, missing_turns
SELECT t.turn_id FROM run_scope s JOIN run r USING (run_id) JOIN trajectory j ON j.run_id = r.run_id AND j.turns < r.planned_turns
JOIN turn t ON t.run_id = j.run_id AND t.trajectory = j.trajectory
WHERE s.model = :model AND s.arch = :arch AND s.task = 'all';
-- lineage: correct_turns
SELECT t.turn_id FROM turn t JOIN run_scope s USING (run_id) WHERE s.model = :model AND s.arch = :arch AND s.task = 'all'
	AND t.correct;
-- lineage: target_turns
SELECT t.turn_id FROM turn t JOIN run_scope s USING (run_id)
WHERE s.model = :model AND s.arch = :arch AND s.task = 'all' AND t.correct AND t.has_target;
-- lineage: planned_trajectories, planned_turns
SELECT 'artifact/runs/' || r.run || '/run.json' AS file, 1 AS line FROM run r JOIN run_scope s USING (run_id)
WHERE s.model = :model AND s.arch = :arch AND s.task = 'all' ORDER BY r.position, r.run;
