-- claim: C20
-- kind: finding
-- title: One label means one set-up
-- statement: Each model, architecture and task was run once and at one size
-- paper: rows of experiments.csv with one model label
-- evidence: reported
-- source: ptxbench
-- expect: FAILS
-- column: labels | integer | model, architecture and task
-- column: repeated | integer | labels with more than one run
-- column: runs | integer counts runs | runs under these
-- column: sizes | integer | different numbers of trajectories a run
-- note: said by the data against itself: runs of one label differ in prompt checklist, prompts and size (4, 12, 20 or 24 trajectories);
-- | no column of the published tables says so, only directory names
WITH label AS (SELECT model, arch, task, count(*) AS runs FROM run GROUP BY model, arch, task)
SELECT count(*) FILTER (WHERE runs > 1) = 0 AS holds, count(*) AS labels, count(*) FILTER (WHERE runs > 1) AS repeated,
	sum(runs) FILTER (WHERE runs > 1) AS runs,
	(SELECT count(DISTINCT planned_trajectories) FROM run) AS sizes
FROM label;
-- lineage: runs
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
WHERE EXISTS (SELECT 1 FROM run o WHERE o.model = r.model AND o.arch = r.arch AND o.task = r.task
	AND o.run_id <> r.run_id);
