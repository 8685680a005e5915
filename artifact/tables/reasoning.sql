-- title: Reasoning tokens by outcome
-- rebuilds: new
-- evidence: reported
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
SELECT r.model, r.arch, t.outcome, count(*) AS turns, count(*) - count(t.reasoning_tokens) AS unknown,
	min(t.reasoning_tokens) AS min, median(t.reasoning_tokens) AS median, max(t.reasoning_tokens) AS max,
		sum(t.reasoning_tokens) AS sum,
	CAST(sum(t.reasoning_tokens) AS REAL) / count(t.reasoning_tokens) AS mean
FROM run r JOIN turn t USING (run_id)
GROUP BY r.model, r.arch, t.outcome
ORDER BY r.model, r.arch, t.outcome;
-- lineage: turns, min, median, max, sum, mean
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) WHERE r.model = :model AND r.arch = :arch
	AND t.outcome = :outcome ORDER BY t.turn_id;
-- lineage: unknown
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
WHERE r.model = :model AND r.arch = :arch AND t.outcome = :outcome AND t.reasoning_tokens IS NULL ORDER BY t.turn_id;
