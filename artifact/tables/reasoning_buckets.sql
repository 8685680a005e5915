-- title: Correct turns and best speedup by reasoning tokens spent
-- rebuilds: new
-- evidence: reported
-- source: ptxbench
-- key: model, arch, bucket
-- column: model | text | model as the source names it
-- column: arch | text | hopper or blackwell
-- column: bucket | text | reasoning tokens of the turn
-- column: turns | integer counts turns | turn records
-- column: correct_turns | integer counts turns | Correct ones
-- column: percent | fixed 2 | 100 * correct_turns / turns
-- column: wilson_low | fixed 2 | lower end of the 95 % Wilson interval of percent
-- column: wilson_high | fixed 2 | upper end of it
-- column: best_speedup | fixed 3 | greatest speedup; empty if no turn is Correct
-- denominator: percent, wilson_low, wilson_high | turns
-- denominator: best_speedup | time of the vendor library on the same workload
-- note: all tasks and all runs of the model label count together: harder tasks may draw both more tokens and fewer correct turns, so read
-- | no cause into it
-- note: buckets double from 4,096; the one for fewer than 4,096 tokens also holds the turns that report 0
WITH label (position, bucket) AS (VALUES (1, '0 to 4095'), (2, '4096 to 8191'), (3, '8192 to 16383'), (4, '16384 to 32767'),
	(5, '32768 to 65535'), (6, '65536 and more'), (7, 'unknown')),
run_counted AS MATERIALIZED (
	SELECT t.run_id,
		CASE WHEN t.reasoning_tokens IS NULL THEN 7 WHEN t.reasoning_tokens < 4096 THEN 1 WHEN t.reasoning_tokens < 8192 THEN 2
			WHEN t.reasoning_tokens < 16384 THEN 3 WHEN t.reasoning_tokens < 32768 THEN 4 WHEN t.reasoning_tokens < 65536 THEN 5
			ELSE 6 END AS position,
		count(*) AS turns, sum(t.correct) AS correct_turns, max(t.speedup) AS best_speedup
	FROM turn t GROUP BY t.run_id, 2
),
counted AS (
	SELECT r.model, r.arch, c.position, sum(c.turns) AS turns, sum(c.correct_turns) AS correct_turns, max(c.best_speedup) AS best_speedup
	FROM run_counted c JOIN run r USING (run_id) GROUP BY r.model, r.arch, c.position
)
SELECT c.model, c.arch, l.bucket, c.turns, c.correct_turns, CAST(100 * c.correct_turns AS REAL) / c.turns AS percent,
	100 * wilson_low(c.correct_turns, c.turns) AS wilson_low, 100 * wilson_high(c.correct_turns, c.turns) AS wilson_high, c.best_speedup
FROM counted c JOIN label l USING (position)
ORDER BY c.model, c.arch, l.position;
-- lineage: turns
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
WHERE r.model = :model AND r.arch = :arch
	AND CASE WHEN t.reasoning_tokens IS NULL THEN 'unknown' WHEN t.reasoning_tokens < 4096 THEN '0 to 4095'
		WHEN t.reasoning_tokens < 8192 THEN '4096 to 8191' WHEN t.reasoning_tokens < 16384 THEN '8192 to 16383'
		WHEN t.reasoning_tokens < 32768 THEN '16384 to 32767' WHEN t.reasoning_tokens < 65536 THEN '32768 to 65535'
		ELSE '65536 and more' END = :bucket;
-- lineage: correct_turns, percent, wilson_low, wilson_high
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
WHERE r.model = :model AND r.arch = :arch AND t.correct
	AND CASE WHEN t.reasoning_tokens IS NULL THEN 'unknown' WHEN t.reasoning_tokens < 4096 THEN '0 to 4095'
		WHEN t.reasoning_tokens < 8192 THEN '4096 to 8191' WHEN t.reasoning_tokens < 16384 THEN '8192 to 16383'
		WHEN t.reasoning_tokens < 32768 THEN '16384 to 32767' WHEN t.reasoning_tokens < 65536 THEN '32768 to 65535'
		ELSE '65536 and more' END = :bucket;
-- lineage: best_speedup
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
WHERE r.model = :model AND r.arch = :arch AND t.speedup = :best_speedup
	AND CASE WHEN t.reasoning_tokens IS NULL THEN 'unknown' WHEN t.reasoning_tokens < 4096 THEN '0 to 4095'
		WHEN t.reasoning_tokens < 8192 THEN '4096 to 8191' WHEN t.reasoning_tokens < 16384 THEN '8192 to 16383'
		WHEN t.reasoning_tokens < 32768 THEN '16384 to 32767' WHEN t.reasoning_tokens < 65536 THEN '32768 to 65535'
		ELSE '65536 and more' END = :bucket;
