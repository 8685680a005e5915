-- claim: C6
-- title: No model matches the libraries throughout
-- statement: No model reaches the speed of the library on every core task of an architecture
-- paper: arXiv 2608.17379, abstract: no evaluated model consistently matches frontier libraries across the suite
-- evidence: reported
-- source: ptxbench
-- expect: HOLDS
-- column: pairs | integer | models times architectures they ran on
-- column: matching_pairs | integer | pairs whose best speedup is at least 1 on all five core tasks
-- column: cells | integer | model, architecture and core task
-- column: matching_cells | integer | cells whose best speedup is at least 1
-- column: best | fixed 3 | greatest best speedup of a cell
-- denominator: best | time of the vendor library on the same workload
-- note: reading: to match is a best speedup of at least 1, the best of all its turns; every model label counts, with all its runs. This
-- | is the reading kindest to the models: it asks for one good turn a task
WITH cell AS (
	SELECT r.model, r.arch, r.task, max(b.best_speedup) AS best
	FROM run r JOIN fact_task f USING (task) JOIN trajectory_limit b USING (run_id)
	WHERE f.paper_set = 'core' AND b.turn_limit = (SELECT max(l.turn_limit) FROM turn_limit l)
	GROUP BY r.model, r.arch, r.task
),
pair AS (
	SELECT model, arch, count(*) AS cells, count(*) FILTER (WHERE best >= 1) AS matching, max(best) AS best
		FROM cell GROUP BY model, arch
)
SELECT count(*) FILTER (WHERE matching = (SELECT count(*) FROM fact_task
	WHERE paper_set = 'core')) = 0 AS holds, count(*) AS pairs,
	count(*) FILTER (WHERE matching = (SELECT count(*) FROM fact_task
		WHERE paper_set = 'core')) AS matching_pairs, sum(cells) AS cells,
	sum(matching) AS matching_cells, max(best) AS best
FROM pair;
-- lineage: matching_cells, best
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN fact_task f USING (task)
WHERE f.paper_set = 'core' AND t.speedup >= 1;
