-- claim: C18
-- kind: finding
-- title: No evaluation run is also training data
-- statement: No published evaluation run is a source of a training set
-- paper: what an evaluation is taken to be
-- evidence: reported
-- source: ptxbench
-- expect: FAILS
-- column: runs | integer counts runs | published runs
-- column: training_runs | integer counts runs | those of them that are a source of a training set
-- column: turns | integer counts turns | their turn records
-- column: correct_turns | integer counts turns | Correct ones
-- note: said by the data against itself: two runs of Gemini 3.1 Pro on backward attention are counted as its evaluation and are sources
-- | of the set of s0. Figure 1 does not use them (it takes the runs of 12 trajectories)
SELECT count(*) FILTER (WHERE s.used) = 0 AS holds, count(*) AS runs, count(*) FILTER (WHERE s.used) AS training_runs,
	ifnull(sum(s.turns) FILTER (WHERE s.used), 0) AS turns, ifnull(sum(s.correct) FILTER (WHERE s.used), 0) AS correct_turns
FROM (
	SELECT b.run_id, EXISTS (SELECT 1 FROM fact_training_overlap o JOIN run r ON r.run = o.run WHERE r.run_id = b.run_id) AS used,
		sum(b.turns) AS turns, sum(b.correct_turns) AS correct
	FROM trajectory_limit b WHERE b.turn_limit = (SELECT max(l.turn_limit) FROM turn_limit l) GROUP BY b.run_id
) s;
-- lineage: runs
SELECT t.turn_id FROM turn t;
-- lineage: training_runs, turns
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) WHERE r.run IN (SELECT run FROM fact_training_overlap);
-- lineage: correct_turns
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) WHERE t.correct AND r.run IN (SELECT run
	FROM fact_training_overlap);
