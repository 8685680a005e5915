-- title: Fast_p, percent of turns that are correct and faster than p times the library
-- rebuilds: new
-- evidence: reported
-- source: ptxbench
-- key: model, arch, task, p
-- column: model | text | model as the source names it
-- column: arch | text | hopper, blackwell, or all
-- column: task | text | task, or all tasks of the model and architecture together
-- column: p | fixed 1 | threshold: a turn counts if its speedup is greater than p
-- column: turns | integer counts turns | turn records
-- column: fast | integer counts turns | Correct turns with speedup > p
-- column: percent | fixed 2 | 100 * fast / turns
-- column: wilson_low | fixed 2 | lower end of the 95 % Wilson interval of percent
-- column: wilson_high | fixed 2 | upper end of it
-- column: fast_target | integer counts turns | those of them whose PTX text has the target letter
-- column: percent_target | fixed 2 | 100 * fast_target / turns
-- column: wilson_low_target | fixed 2 | lower end of the 95 % Wilson interval of percent_target
-- column: wilson_high_target | fixed 2 | upper end of it
-- denominator: percent, percent_target, wilson_low, wilson_high, wilson_low_target, wilson_high_target | turns: the records of the runs
-- | that count; turns that were planned and never took place are left out
-- note: p = 0 is the percent of turns that are correct (every Correct turn has a speedup above 0)
-- note: which runs count. Of several runs of one model, architecture and task the one of 12 trajectories; where there is none, all of
-- | them
-- note: the measure is the paper's, but its plotted points are not published as numbers, so there is nothing to set beside these
-- note: target is a tag of the PTX text, not a record of executed instructions
WITH grid (tenths) AS (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)),
sized AS (SELECT model, arch, task, max(planned_trajectories = 12) AS has_12 FROM run GROUP BY model, arch, task),
chosen AS (
	SELECT r.run_id, r.model, r.arch, r.task FROM run r JOIN sized USING (model, arch, task)
		WHERE r.planned_trajectories = 12 OR NOT has_12
),
scope AS (
	SELECT run_id, model, arch, task FROM chosen
	UNION ALL SELECT run_id, model, arch, 'all' FROM chosen
	UNION ALL SELECT run_id, model, 'all', 'all' FROM chosen
),
run_turns AS MATERIALIZED (SELECT run_id, sum(turns) AS turns FROM trajectory GROUP BY run_id),
run_fast AS MATERIALIZED (
	SELECT t.run_id, g.tenths, count(*) AS fast, sum(t.has_target) AS fast_target
	FROM turn t CROSS JOIN grid g ON t.speedup > CAST(g.tenths AS REAL) / 10
	WHERE t.correct GROUP BY t.run_id, g.tenths
),
counted AS (
	SELECT s.model, s.arch, s.task, g.tenths, sum(n.turns) AS turns, sum(ifnull(f.fast, 0)) AS fast,
		sum(ifnull(f.fast_target, 0)) AS fast_target
	FROM scope s JOIN run_turns n USING (run_id) CROSS JOIN grid g
	LEFT JOIN run_fast f ON f.run_id = s.run_id AND f.tenths = g.tenths
	GROUP BY s.model, s.arch, s.task, g.tenths
)
SELECT model, arch, task, CAST(tenths AS REAL) / 10 AS p, turns, fast, CAST(100 * fast AS REAL) / turns AS percent,
	100 * wilson_low(fast, turns) AS wilson_low, 100 * wilson_high(fast, turns) AS wilson_high,
	fast_target, CAST(100 * fast_target AS REAL) / turns AS percent_target,
	100 * wilson_low(fast_target, turns) AS wilson_low_target, 100 * wilson_high(fast_target, turns) AS wilson_high_target
FROM counted
ORDER BY model, arch, task, tenths;
-- lineage: turns
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN run_scope s USING (run_id)
WHERE s.model = :model AND s.arch = :arch AND s.task = :task AND (r.planned_trajectories = 12 OR NOT EXISTS (
	SELECT 1 FROM run q WHERE q.model = r.model AND q.arch = r.arch AND q.task = r.task AND q.planned_trajectories = 12));
-- lineage: fast, percent, wilson_low, wilson_high
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN run_scope s USING (run_id)
WHERE s.model = :model AND s.arch = :arch AND s.task = :task AND (r.planned_trajectories = 12 OR NOT EXISTS (
	SELECT 1 FROM run q WHERE q.model = r.model AND q.arch = r.arch AND q.task = r.task AND q.planned_trajectories = 12))
	AND t.correct AND t.speedup > :p;
-- lineage: fast_target, percent_target, wilson_low_target, wilson_high_target
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN run_scope s USING (run_id)
WHERE s.model = :model AND s.arch = :arch AND s.task = :task AND (r.planned_trajectories = 12 OR NOT EXISTS (
	SELECT 1 FROM run q WHERE q.model = r.model AND q.arch = r.arch AND q.task = r.task AND q.planned_trajectories = 12))
	AND t.correct AND t.has_target AND t.speedup > :p;
