-- claim: C14
-- title: Coverage and balance together matter
-- statement: Two sets of nearly the same size, template and writer, but other coverage and balance, give different shares of correct
-- | turns
-- paper: arXiv 2608.17379, abstract: data coverage and balance matter in addition to dataset size
-- evidence: reported
-- source: ptxbench
-- expect: HOLDS
-- column: pairs | integer | pairs of sets with the same template and writer, another scope, and rows within one percent
-- column: apart | integer | pairs whose 95 % Wilson intervals are disjoint
-- column: better | text | scope of the better set
-- column: better_rows | integer | its rows
-- column: better_percent | fixed 2 | its percent of turns correct
-- column: worse | text | scope of the other
-- column: worse_rows | integer | its rows
-- column: worse_percent | fixed 2 | its percent of turns correct
-- denominator: better_percent, worse_percent | turn records on the five core tasks (800 where none is missing)
-- note: reading: disjoint intervals for every such pair; there is one, s2 (259 rows, 4ops-Extended) and s5 (258 rows, 8ops-Pre-balanced)
-- note: the pair differs in coverage and in balance at once, so it cannot say which of the two it is (C15)
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
	SELECT a.scope AS better, a.rows AS better_rows, CAST(100 * x.correct AS REAL) / x.turns AS better_percent,
		b.scope AS worse, b.rows AS worse_rows,
		CAST(100 * y.correct AS REAL) / y.turns AS worse_percent,
		wilson_low(x.correct, x.turns) > wilson_high(y.correct, y.turns) AS apart
	FROM fact_sft a JOIN fact_sft b ON b.template = a.template AND b.reasoning_writer = a.reasoning_writer AND b.scope <> a.scope
		AND 100 * abs(a.rows - b.rows) <= a.rows
	JOIN rated x ON x.model = a.model JOIN rated y ON y.model = b.model
	WHERE x.correct * y.turns > y.correct * x.turns
)
SELECT CASE WHEN count(*) > 0 THEN sum(apart) = count(*) END AS holds, count(*) AS pairs, sum(apart) AS apart,
	max(better) AS better, max(better_rows) AS better_rows,
	max(better_percent) AS better_percent, max(worse) AS worse, max(worse_rows) AS worse_rows, max(worse_percent) AS worse_percent
FROM pair;
-- lineage: better, better_rows, worse, worse_rows, pairs
SELECT 'artifact/facts/sft.jsonl' AS file, s.line FROM fact_sft s JOIN fact_sft o ON o.template = s.template
	AND o.reasoning_writer = s.reasoning_writer AND o.scope <> s.scope
	AND 100 * abs(o.rows - s.rows) <= s.rows ORDER BY s.line;
-- lineage: better_percent
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN fact_task f USING (task) JOIN fact_sft s USING (model)
WHERE f.paper_set = 'core' AND r.checklist <> 'nopatched' AND t.correct AND s.model = 'Qwen3.6-27B-s5';
-- lineage: worse_percent
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN fact_task f USING (task) JOIN fact_sft s USING (model)
WHERE f.paper_set = 'core' AND r.checklist <> 'nopatched' AND t.correct AND s.model = 'Qwen3.6-27B-s2';
