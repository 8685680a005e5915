-- claim: C16
-- kind: finding
-- title: Every best speedup is one of the target instruction
-- statement: The greatest speedup of each run is that of a turn with the target instruction
-- paper: the benchmark's subject: kernels that use architecture-specific PTX; best_speedup_by_release_date.csv
-- evidence: reported
-- source: ptxbench
-- expect: FAILS
-- column: runs | integer counts runs | runs with a Correct turn
-- column: without | integer counts runs | runs whose best turn lacks the target letter
-- column: none_at_all | integer | those of them without any Correct turn that has it
-- column: figure1_cells | integer | cells of Figure 1 with a value
-- column: figure1_without | integer | those whose value is not reached with the target instruction
-- note: said by the data against itself: best_speedup counts any Correct turn. Such a speedup says nothing about the target instruction;
-- | contradictions lists the runs
-- note: target is a tag of the PTX text; that an instruction stands there does not show that it was executed, let alone that it did the
-- | work
WITH best AS (
	SELECT b.run_id, max(b.best_speedup) AS best, max(b.best_target_speedup) AS target FROM trajectory_limit b
		WHERE b.turn_limit = (SELECT max(l.turn_limit) FROM turn_limit l) GROUP BY b.run_id
),
figure AS (
	SELECT max(b.best) AS best, max(b.target) AS target FROM best b JOIN run r USING (run_id) JOIN fact_task f USING (task)
	WHERE r.retrieval = 'none' AND r.model IN (SELECT m.model FROM run m WHERE m.arch = 'blackwell')
		AND f.paper_set = 'core' AND r.planned_trajectories = 12
	GROUP BY r.model, r.arch, r.task
)
SELECT count(*) FILTER (WHERE target IS NULL OR target < best) = 0 AS holds, count(*) AS runs,
	count(*) FILTER (WHERE target IS NULL OR target < best) AS without,
	count(*) FILTER (WHERE target IS NULL) AS none_at_all, (SELECT count(best) FROM figure) AS figure1_cells,
	(SELECT count(best) FROM figure WHERE best IS NOT NULL AND (target IS NULL OR target < best)) AS figure1_without
FROM best WHERE best IS NOT NULL;
-- lineage: runs
SELECT t.turn_id FROM turn t WHERE t.correct;
-- lineage: without
WITH best AS (SELECT run_id, max(best_speedup) AS best, max(best_target_speedup) AS target FROM trajectory_limit GROUP BY run_id)
SELECT t.turn_id FROM turn t JOIN best b USING (run_id) WHERE t.speedup = b.best
	AND (b.target IS NULL OR b.target < b.best);
