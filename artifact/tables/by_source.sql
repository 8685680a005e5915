-- title: Reported turns of every source, by model, architecture and task
-- rebuilds: new
-- evidence: reported
-- key: source, model, arch, task
-- column: source | text | whose runs: artifact/sources/SOURCE says where they come from
-- column: evidence | text | grade of the turns; `reported`: nothing of them was measured here
-- column: model | text | model, or author, as the source names it
-- column: arch | text | hopper or blackwell
-- column: task | text | the task
-- column: runs | integer counts runs | runs that have a turn
-- column: trajectories | integer counts trajectories | trajectories that have a turn
-- column: turns | integer counts turns | turn records
-- column: correct | integer counts turns | those of them that the source says are correct
-- column: percent | fixed 2 | 100 * correct / turns
-- column: wilson_low | fixed 2 | lower end of the 95 % Wilson interval of percent
-- column: wilson_high | fixed 2 | upper end of it
-- column: unknown | integer counts turns | turns of which the source does not say what became of them
-- column: best_speedup | fixed 3 | greatest speedup of a correct turn, as the source measured it
-- denominator: percent, wilson_low, wilson_high | turns: the records of the runs; turns of unknown outcome stay in it
-- note: sources differ in device, baseline, tolerance and prompt, and this table makes nothing equal: rows of one task stand side by
-- | side, they are not a ranking
WITH size AS (SELECT run_id, count(*) AS trajectories, sum(turns) AS turns FROM trajectory GROUP BY run_id),
told AS (
	SELECT run_id, ifnull(sum(turns) FILTER (WHERE outcome IN ('Correct', 'correct')), 0) AS correct,
		ifnull(sum(turns) FILTER (WHERE outcome = 'unknown'), 0) AS unknown
	FROM run_outcome GROUP BY run_id
),
best AS (SELECT run_id, max(speedup) AS best_speedup FROM turn WHERE correct GROUP BY run_id)
SELECT r.source, r.evidence, r.model, r.arch, r.task, count(*) AS runs, sum(s.trajectories) AS trajectories, sum(s.turns) AS turns,
	sum(t.correct) AS correct, CAST(100 * sum(t.correct) AS REAL) / sum(s.turns) AS percent,
	100 * wilson_low(sum(t.correct), sum(s.turns)) AS wilson_low, 100 * wilson_high(sum(t.correct), sum(s.turns)) AS wilson_high,
	sum(t.unknown) AS unknown, max(b.best_speedup) AS best_speedup
FROM run r JOIN size s USING (run_id) JOIN told t USING (run_id) LEFT JOIN best b USING (run_id)
GROUP BY r.source, r.evidence, r.model, r.arch, r.task
ORDER BY r.source, r.model, r.arch, r.task;
-- lineage: evidence, runs, trajectories, turns
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
WHERE r.source = :source AND r.model = :model AND r.arch = :arch AND r.task = :task;
-- lineage: correct, percent, wilson_low, wilson_high
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
WHERE r.source = :source AND r.model = :model AND r.arch = :arch AND r.task = :task AND t.correct;
-- lineage: unknown
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN outcome o USING (outcome_id)
WHERE r.source = :source AND r.model = :model AND r.arch = :arch AND r.task = :task AND o.outcome = 'unknown';
-- lineage: best_speedup
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
WHERE r.source = :source AND r.model = :model AND r.arch = :arch AND r.task = :task AND t.correct AND t.speedup = :best_speedup;
