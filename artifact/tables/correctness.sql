-- title: Trajectories with a correct turn, by run and turn limit
-- rebuilds: correctness_rate_by_release_date.csv
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
-- column: correct | integer counts trajectories | trajectories with at least one Correct turn below the limit
-- column: correctness_rate | fixed 6 | correct / n_trajectories
-- column: wilson_low | fixed 6 | lower end of the 95 % Wilson interval of correctness_rate; not published
-- column: wilson_high | fixed 6 | upper end of it; not published
-- denominator: correctness_rate, wilson_low, wilson_high | n_trajectories; a trajectory that stopped early keeps its full weight, a turn
-- | it lacks is not a success
-- note: the interval treats a run's trajectories as independent draws; they share prompts, so it is if anything too narrow
WITH counted AS (
	SELECT run_id, turn_limit, count(*) AS n_trajectories, count(*) FILTER (WHERE first_correct < turn_limit) AS correct
	FROM trajectory CROSS JOIN turn_limit GROUP BY run_id, turn_limit
)
SELECT r.model, r.arch, r.workload, r.workload_name, r.task AS definition, r.run, r.date, c.turn_limit, c.n_trajectories,
	c.correct, CAST(c.correct AS REAL) / c.n_trajectories AS correctness_rate,
	wilson_low(c.correct, c.n_trajectories) AS wilson_low, wilson_high(c.correct, c.n_trajectories) AS wilson_high
FROM run r JOIN counted c USING (run_id)
ORDER BY r.position, r.run, c.turn_limit;
-- lineage: model, arch, workload, workload_name, definition, date
SELECT 'artifact/runs/' || r.run || '/run.json' AS file, 1 AS line FROM run r WHERE r.run = :run;
-- lineage: n_trajectories
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) WHERE r.run = :run;
-- lineage: correct, correctness_rate, wilson_low, wilson_high
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) WHERE r.run = :run AND t.correct AND t.turn < :turn_limit;
