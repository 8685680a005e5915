-- claim: C10
-- title: The smallest training set solves all five core tasks
-- statement: The fine-tune with the fewest training rows has a Correct turn on each of the five core tasks
-- paper: the authors' blog post on PTXBench, 2026-08-17: the smallest balanced recipe that solves all five primary problems has 158
-- | records
-- evidence: reported
-- source: ptxbench
-- expect: HOLDS
-- column: rows | integer | rows of the smallest training set
-- column: solved | integer | core tasks on which its model has a Correct turn
-- column: sets | integer | training sets
-- column: sets_solving_all | integer | sets whose model has a Correct turn on all five
-- note: the runs are those of sft_series
WITH rated AS (
	SELECT r.model, r.task, sum(b.correct_turns) > 0 AS solved
	FROM run r JOIN fact_task f USING (task) JOIN trajectory_limit b USING (run_id)
	WHERE f.paper_set = 'core' AND r.checklist <> 'nopatched' AND b.turn_limit = (SELECT max(l.turn_limit) FROM turn_limit l)
	GROUP BY r.model, r.task
),
counted AS (SELECT s.model, s.rows, sum(c.solved) AS solved, sum(c.solved) = count(*) AS every FROM fact_sft s
	JOIN rated c USING (model) GROUP BY s.model, s.rows)
SELECT max(every) FILTER (WHERE rows = (SELECT min(rows) FROM fact_sft)) AS holds, min(rows) AS rows,
	max(solved) FILTER (WHERE rows = (SELECT min(rows) FROM fact_sft)) AS solved, count(*) AS sets, sum(every) AS sets_solving_all
FROM counted;
-- lineage: rows, sets
SELECT 'artifact/facts/sft.jsonl' AS file, s.line FROM fact_sft s ORDER BY s.line;
-- lineage: solved
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN fact_task f USING (task) JOIN fact_sft s USING (model)
WHERE f.paper_set = 'core' AND r.checklist <> 'nopatched' AND t.correct AND s.rows = (SELECT min(rows)
	FROM fact_sft);
