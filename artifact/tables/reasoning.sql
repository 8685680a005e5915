-- title: Reasoning tokens by outcome
-- rebuilds: new
-- evidence: reported
-- source: ptxbench
-- key: model, arch, outcome
-- column: model | text | model as the source names it
-- column: arch | text | hopper or blackwell
-- column: outcome | text | one of the nine published outcomes
-- column: turns | integer counts turns | turn records
-- column: unknown | integer counts turns | those whose reasoning tokens are not known
-- column: min | integer | least reasoning tokens of a turn
-- column: median | fixed 1 | median of them
-- column: max | integer | most of them
-- column: sum | integer | all of them together
-- column: mean | fixed 1 | sum / (turns - unknown)
-- denominator: mean | turns whose tokens are known
-- note: tokens are those of the provider's usage field; a model's cap on output shows as its maximum
-- note: all runs of the model label count
WITH label AS (SELECT min(run_id) AS label_id, model, arch FROM run GROUP BY model, arch),
labelled AS MATERIALIZED (SELECT r.run_id, l.label_id FROM run r JOIN label l USING (model, arch)),
counted AS (
	SELECT b.label_id, t.outcome_id, count(*) AS turns, count(*) - count(t.reasoning_tokens) AS unknown, min(t.reasoning_tokens) AS min,
		median(t.reasoning_tokens) AS median, max(t.reasoning_tokens) AS max, sum(t.reasoning_tokens) AS sum
	FROM turn t JOIN labelled b USING (run_id) GROUP BY b.label_id, t.outcome_id
)
SELECT l.model, l.arch, o.outcome, c.turns, c.unknown, c.min, c.median, c.max, c.sum, CAST(c.sum AS REAL) / (c.turns - c.unknown) AS mean
FROM counted c JOIN label l USING (label_id) JOIN outcome o USING (outcome_id)
ORDER BY l.model, l.arch, o.outcome;
-- lineage: turns, min, median, max, sum, mean
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN outcome o USING (outcome_id) WHERE r.model = :model AND r.arch = :arch
	AND o.outcome = :outcome;
-- lineage: unknown
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN outcome o USING (outcome_id)
WHERE r.model = :model AND r.arch = :arch AND o.outcome = :outcome AND t.reasoning_tokens IS NULL;
