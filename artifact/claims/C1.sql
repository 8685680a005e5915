-- claim: C1
-- title: Ability is uneven
-- statement: What a model can do in architecture-specific PTX differs widely from task to task
-- paper: arXiv 2608.17379, abstract: capability remains uneven
-- evidence: reported
-- source: ptxbench
-- expect: HOLDS
-- column: models | integer | frontier models: those with a run of 12 trajectories, without the base of the fine-tunes
-- column: uneven | integer | models whose best and worst case have disjoint 95 % Wilson intervals
-- column: cases | integer | model, architecture and task
-- column: least_percent | fixed 1 | least percent of turns correct of a case
-- column: greatest_percent | fixed 1 | greatest percent
-- denominator: least_percent, greatest_percent | turn records of the case (96)
-- note: reading: the claim holds if for every frontier model the interval of its best case lies wholly above that of its worst. To pick
-- | best and worst of ten favours a gap; that intervals of 96 turns each are disjoint makes chance an unlikely cause of it all the same
-- note: a case is one of ten: five core tasks on two architectures
WITH rated AS (
	SELECT r.model, r.arch, r.task, sum(b.turns) AS turns, sum(b.correct_turns) AS correct
	FROM run r JOIN trajectory_limit b USING (run_id)
	WHERE r.planned_trajectories = 12 AND r.retrieval = 'none'
		AND r.model NOT IN (SELECT base_model FROM fact_sft) AND r.model NOT IN (SELECT model FROM fact_sft)
		AND b.turn_limit = (SELECT max(l.turn_limit) FROM turn_limit l)
	GROUP BY r.model, r.arch, r.task
),
spread AS (
	SELECT model, count(*) AS cases, max(wilson_low(correct, turns)) > min(wilson_high(correct, turns)) AS uneven,
		min(CAST(100 * correct AS REAL) / turns) AS least, max(CAST(100 * correct AS REAL) / turns) AS greatest
	FROM rated GROUP BY model
)
SELECT sum(uneven) = count(*) AS holds, count(*) AS models, sum(uneven) AS uneven, sum(cases) AS cases,
	min(least) AS least_percent, max(greatest) AS greatest_percent
FROM spread;
-- lineage: models, cases, least_percent, greatest_percent
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN fact_task f USING (task)
WHERE r.planned_trajectories = 12 AND r.retrieval = 'none'
	AND r.model NOT IN (SELECT base_model FROM fact_sft) AND r.model NOT IN (SELECT model FROM fact_sft);
