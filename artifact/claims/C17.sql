-- claim: C17
-- kind: finding
-- title: No model is tested on what it was trained on
-- statement: No fine-tune is evaluated on a task that its training set was made of
-- paper: what an evaluation is taken to be
-- evidence: reported
-- source: ptxbench
-- expect: FAILS
-- column: models | integer | fine-tunes
-- column: models_overlapping | integer | fine-tunes evaluated on a task of their training set
-- column: evaluations | integer | model and task
-- column: overlapping | integer | those of them where the task was a source of the training set
-- column: turns | integer counts turns | turn records of these
-- column: correct_share | fixed 1 | percent of all Correct turns of the fine-tunes that stand in these
-- denominator: correct_share | Correct turns of all fine-tunes
-- note: said by the data against itself: the four attention tasks at head dimension 128 are sources of every set, with the same shapes;
-- | the paper does call them training tasks (Figure 2 shows transfer from them)
-- note: GEMM, head dimension 96 and GQA are in no set; head dimension 64 is in those of s0 and s3 to s6, of which none was evaluated on
-- | it
WITH rated AS (
	SELECT r.model, r.task, sum(b.turns) AS turns, sum(b.correct_turns) AS correct,
		EXISTS (SELECT 1 FROM fact_training_overlap o WHERE o.model = r.model AND o.task = r.task) AS trained
	FROM run r JOIN fact_sft s ON s.model = r.model JOIN trajectory_limit b ON b.run_id = r.run_id
	WHERE b.turn_limit = (SELECT max(l.turn_limit) FROM turn_limit l)
	GROUP BY r.model, r.task
)
SELECT sum(trained) = 0 AS holds, count(DISTINCT model) AS models,
	count(DISTINCT model) FILTER (WHERE trained) AS models_overlapping, count(*) AS evaluations,
	sum(trained) AS overlapping, sum(turns) FILTER (WHERE trained) AS turns,
		CAST(100 * sum(correct) FILTER (WHERE trained) AS REAL) / sum(correct) AS correct_share
FROM rated;
-- lineage: turns
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
WHERE EXISTS (SELECT 1 FROM fact_training_overlap o WHERE o.model = r.model AND o.task = r.task);
-- lineage: correct_share
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
WHERE t.correct AND EXISTS (SELECT 1 FROM fact_training_overlap o WHERE o.model = r.model AND o.task = r.task);
-- lineage: overlapping, models_overlapping
SELECT 'artifact/facts/training_overlap.jsonl' AS file, o.line FROM fact_training_overlap o ORDER BY o.line;
