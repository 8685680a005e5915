-- claim: C13
-- title: The teacher matters
-- statement: Two sets that differ only in who wrote the reasoning give different shares of correct turns
-- paper: arXiv 2608.17379, abstract: the quality of the reasoning teacher matters
-- evidence: reported
-- source: ptxbench
-- expect: HOLDS
-- column: pairs | integer | pairs of sets with the same rows, scope and template and another writer
-- column: apart | integer | pairs whose 95 % Wilson intervals are disjoint
-- column: stronger | text | writer of the better set
-- column: stronger_percent | fixed 2 | its percent of turns correct
-- column: weaker | text | writer of the other
-- column: weaker_percent | fixed 2 | its percent of turns correct
-- denominator: stronger_percent, weaker_percent | turn records on the five core tasks (800 where none is missing)
-- note: reading: disjoint intervals for every such pair; there is one, s5 and s6
-- note: the runs are those of sft_series on the five core tasks; turns of one trajectory depend on each other and each set was trained
-- | once, so the intervals are narrower than the truth: a separation is evidence, not proof
WITH rated AS (
	SELECT r.model, sum(b.turns) AS turns, sum(b.correct_turns) AS correct
	FROM run r JOIN fact_sft s ON s.model = r.model JOIN fact_task f ON f.task = r.task
	JOIN trajectory_limit b ON b.run_id = r.run_id AND b.turn_limit = (SELECT max(l.turn_limit) FROM turn_limit l)
	WHERE f.paper_set = 'core' AND r.checklist <> 'nopatched'
	GROUP BY r.model
),
pair AS (
	SELECT a.reasoning_writer AS stronger, CAST(100 * x.correct AS REAL) / x.turns AS stronger_percent, b.reasoning_writer AS weaker,
		CAST(100 * y.correct AS REAL) / y.turns AS weaker_percent,
		wilson_low(x.correct, x.turns) > wilson_high(y.correct, y.turns) AS apart
	FROM fact_sft a JOIN fact_sft b ON b.rows = a.rows AND b.scope = a.scope AND b.template = a.template
		AND b.reasoning_writer <> a.reasoning_writer
	JOIN rated x ON x.model = a.model JOIN rated y ON y.model = b.model
	WHERE x.correct * y.turns > y.correct * x.turns
)
SELECT CASE WHEN count(*) > 0 THEN sum(apart) = count(*) END AS holds, count(*) AS pairs, sum(apart) AS apart,
	max(stronger) AS stronger, max(stronger_percent) AS stronger_percent,
	max(weaker) AS weaker, max(weaker_percent) AS weaker_percent
FROM pair;
-- lineage: stronger, weaker, pairs
SELECT 'artifact/facts/sft.jsonl' AS file, s.line FROM fact_sft s JOIN fact_sft o ON o.rows = s.rows
	AND o.scope = s.scope AND o.template = s.template
	AND o.reasoning_writer <> s.reasoning_writer ORDER BY s.line;
-- lineage: stronger_percent
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN fact_task f USING (task) JOIN fact_sft s USING (model)
WHERE f.paper_set = 'core' AND r.checklist <> 'nopatched' AND t.correct AND s.model = 'Qwen3.6-27B-s5';
-- lineage: weaker_percent
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN fact_task f USING (task) JOIN fact_sft s USING (model)
WHERE f.paper_set = 'core' AND r.checklist <> 'nopatched' AND t.correct AND s.model = 'Qwen3.6-27B-s6';
