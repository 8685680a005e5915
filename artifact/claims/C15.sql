-- claim: C15
-- title: Coverage and balance each matter by themselves
-- statement: Coverage alone, and balance alone, change the share of correct turns
-- paper: arXiv 2608.17379, abstract: data coverage and balance matter
-- evidence: reported
-- source: ptxbench
-- expect: NOT DERIVABLE
-- column: coverage_pairs | integer | pairs of sets with the same rows, template, writer and balance and another coverage
-- column: balance_pairs | integer | pairs of sets with the same rows, template, writer and coverage and another balance
-- note: reading: coverage is the number of operations in the name of the scope (4ops, 8ops), balance the rest of the name
-- note: not derivable: no two published sets differ in one of the two and nothing else. s2 and s3 differ in coverage and have 259 and 406
-- | rows; s4 and s5 differ in balance and have 170 and 258
WITH part AS (SELECT s.*, substr(s.scope, 1, 4) AS coverage, substr(s.scope, 5) AS balance FROM fact_sft s),
rated AS (
	SELECT r.model, sum(b.turns) AS turns, sum(b.correct_turns) AS correct
	FROM run r JOIN fact_sft s ON s.model = r.model JOIN fact_task f ON f.task = r.task
	JOIN trajectory_limit b ON b.run_id = r.run_id AND b.turn_limit = (SELECT max(l.turn_limit) FROM turn_limit l)
	WHERE f.paper_set = 'core' AND r.checklist <> 'nopatched'
	GROUP BY r.model
),
pair AS (
	SELECT a.balance = b.balance AS coverage_alone, a.coverage = b.coverage AS balance_alone,
		wilson_low(x.correct, x.turns) > wilson_high(y.correct, y.turns)
			OR wilson_high(x.correct, x.turns) < wilson_low(y.correct, y.turns) AS apart
	FROM part a JOIN part b ON a.model < b.model AND b.rows = a.rows AND b.template = a.template
		AND b.reasoning_writer = a.reasoning_writer
		AND (a.coverage = b.coverage) <> (a.balance = b.balance)
	JOIN rated x ON x.model = a.model JOIN rated y ON y.model = b.model
)
SELECT CASE WHEN ifnull(sum(coverage_alone), 0) > 0 AND ifnull(sum(balance_alone), 0) > 0 THEN sum(apart) = count(*) END AS holds,
	ifnull(sum(coverage_alone), 0) AS coverage_pairs, ifnull(sum(balance_alone), 0) AS balance_pairs
FROM pair;
-- lineage: coverage_pairs, balance_pairs
SELECT 'artifact/facts/sft.jsonl' AS file, s.line FROM fact_sft s ORDER BY s.line;
