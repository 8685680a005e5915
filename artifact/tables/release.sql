-- title: Best speedup by release date of the model
-- rebuilds: new
-- evidence: reported
-- source: ptxbench
-- key: arch, task, model
-- column: arch | text | hopper or blackwell
-- column: task | text | task
-- column: date | text | release date of the model as the source gives it (of a fine-tune: its training date)
-- column: model | text | model as the source names it
-- column: best_speedup | fixed 3 | greatest speedup of the model's turns, all its runs; empty if none is Correct
-- column: best_so_far | fixed 3 | greatest speedup of any model with this or an earlier date; empty if there is none
-- column: leads | integer | 1: the model's own best is the best so far
-- denominator: best_speedup, best_so_far | time of the vendor library on the same workload
-- note: dates are the source's and are not all trustworthy: Gemini 3.1 Pro's 2025-01-31 has the day and month of Claude Opus 4.8's
-- | 2026-01-31 and probably the wrong year, the dates of s0 to s6 are training dates and not in the order of their names; release_dates
-- | shows every date as published
-- note: runs of a model differ in size; see best_speedup
WITH best AS (
	SELECT r.arch, r.task, r.date, r.model, max(b.best_speedup) AS best_speedup
	FROM run r JOIN trajectory_limit b USING (run_id)
	WHERE b.turn_limit = (SELECT max(l.turn_limit) FROM turn_limit l)
	GROUP BY r.arch, r.task, r.date, r.model
),
ranked AS (
	SELECT best.*, max(best_speedup) OVER (
		PARTITION BY arch, task ORDER BY date RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS best_so_far
	FROM best
)
SELECT arch, task, date, model, best_speedup, best_so_far, ifnull(best_speedup = best_so_far, 0) AS leads
FROM ranked
ORDER BY arch, task, date, model;
-- lineage: best_speedup
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
WHERE r.arch = :arch AND r.task = :task AND r.model = :model AND t.speedup = :best_speedup;
-- lineage: best_so_far, leads
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
WHERE r.arch = :arch AND r.task = :task AND r.date <= :date AND t.speedup = :best_so_far;
-- lineage: date
SELECT 'artifact/facts/release_dates.jsonl' AS file, d.line FROM fact_release_dates d WHERE d.kind = 'model' AND d.name = :model;
