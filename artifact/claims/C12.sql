-- claim: C12
-- title: Rows alone do not explain the fine-tunes
-- statement: A smaller training set gives more correct turns than a larger one
-- paper: arXiv 2608.17379, abstract: data coverage, balance and the teacher matter in addition to dataset size
-- evidence: reported
-- source: ptxbench
-- expect: HOLDS
-- column: pairs | integer | pairs of Fixit sets of which one has fewer rows
-- column: against | integer | pairs of which the smaller has a percent of turns correct whose 95 % Wilson interval lies wholly above that
-- | of the larger
-- column: in_favour | integer | pairs of which it lies wholly below
-- column: smallest_rows | integer | rows of the smallest set
-- column: smallest_percent | fixed 2 | its percent of turns correct
-- column: largest_rows | integer | rows of the largest set
-- column: largest_percent | fixed 2 | its percent of turns correct
-- denominator: smallest_percent, largest_percent | turn records on the five core tasks (800 where none is missing)
-- note: reading: one pair against is enough, since the claim is that rows alone do not explain; only sets of the same template are
-- | compared
-- note: the runs are those of sft_series on the five core tasks; turns of one trajectory depend on each other and each set was trained
-- | once, so the intervals are narrower than the truth: a separation is evidence, not proof
WITH rated AS (
	SELECT r.model, sum(b.turns) AS turns, sum(b.correct_turns) AS correct
	FROM run r JOIN fact_sft s ON s.model = r.model JOIN fact_task f ON f.task = r.task
	JOIN trajectory_limit b ON b.run_id = r.run_id AND b.turn_limit = (SELECT max(l.turn_limit) FROM turn_limit l)
	WHERE f.paper_set = 'core' AND r.checklist <> 'nopatched'
	GROUP BY r.model
),
fixit AS (SELECT s.rows, c.turns, c.correct FROM fact_sft s JOIN rated c USING (model) WHERE s.template = 'Fixit'),
pair AS (
	SELECT wilson_low(a.correct, a.turns) > wilson_high(b.correct, b.turns) AS against,
		wilson_high(a.correct, a.turns) < wilson_low(b.correct, b.turns) AS in_favour
	FROM fixit a JOIN fixit b ON a.rows < b.rows
)
SELECT sum(against) >= 1 AS holds, count(*) AS pairs, sum(against) AS against, sum(in_favour) AS in_favour,
	(SELECT min(rows) FROM fixit) AS smallest_rows,
	(SELECT CAST(100 * correct AS REAL) / turns FROM fixit WHERE rows = (SELECT min(rows) FROM fixit)) AS smallest_percent,
	(SELECT max(rows) FROM fixit) AS largest_rows,
	(SELECT CAST(100 * correct AS REAL) / turns FROM fixit WHERE rows = (SELECT max(rows) FROM fixit)) AS largest_percent
FROM pair;
-- lineage: smallest_rows, largest_rows
SELECT 'artifact/facts/sft.jsonl' AS file, s.line FROM fact_sft s WHERE s.template = 'Fixit' ORDER BY s.line;
-- lineage: smallest_percent
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN fact_task f USING (task) JOIN fact_sft s USING (model)
WHERE f.paper_set = 'core' AND r.checklist <> 'nopatched' AND t.correct AND s.rows = (SELECT min(rows) FROM fact_sft
	WHERE template = 'Fixit');
-- lineage: largest_percent
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN fact_task f USING (task) JOIN fact_sft s USING (model)
WHERE f.paper_set = 'core' AND r.checklist <> 'nopatched' AND t.correct AND s.rows = (SELECT max(rows) FROM fact_sft
	WHERE template = 'Fixit');
