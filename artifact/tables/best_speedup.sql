-- title: Best speedup, by run and turn limit
-- rebuilds: best_speedup_by_release_date.csv
-- evidence: reported
-- source: ptxbench
-- key: run, turn_limit
-- column: model | text | model as the source names it
-- column: arch | text | hopper (H100) or blackwell (B200)
-- column: workload | text | UUID of the workload
-- column: workload_name | text | the workload as the source names it
-- column: definition | text | the task
-- column: run | text | directory name of the run; stands for the published exp_dir, whose leading directories are private
-- column: date | text | release date of the model as the source gives it, YYYY-MM-DD
-- column: turn_limit | integer | turns below this number count (a run has turns 0 to 7)
-- column: n_trajectories | integer counts trajectories | trajectories of the run that have a turn record
-- column: best_speedup | general 9 | greatest speedup of any turn below the limit, whatever its label and tag; 0 if no turn has one
-- denominator: best_speedup | time of the vendor library on the same workload (speedup = library time / kernel time, 1 = as fast as the
-- | library)
-- note: the maximum over all trajectories grows with their number (4, 12, 20 or 24): compare runs of unlike size with care
WITH best AS (SELECT run_id, turn_limit, max(best_speedup) AS best_speedup FROM trajectory_limit GROUP BY run_id, turn_limit),
size AS (SELECT run_id, count(*) AS n_trajectories FROM trajectory GROUP BY run_id)
SELECT r.model, r.arch, r.workload, r.workload_name, r.task AS definition, r.run, r.date, l.turn_limit, n.n_trajectories,
	ifnull(b.best_speedup, 0) AS best_speedup
FROM run r JOIN size n USING (run_id) CROSS JOIN turn_limit l
LEFT JOIN best b ON b.run_id = r.run_id AND b.turn_limit = l.turn_limit
ORDER BY r.position, r.run, l.turn_limit;
-- lineage: model, arch, workload, workload_name, definition, date
SELECT 'artifact/runs/' || r.run || '/run.json' AS file, 1 AS line FROM run r WHERE r.run = :run;
-- lineage: n_trajectories
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) WHERE r.run = :run;
-- lineage: best_speedup
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
WHERE r.run = :run AND t.turn < :turn_limit AND t.speedup = :best_speedup;
