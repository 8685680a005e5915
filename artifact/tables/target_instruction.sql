-- title: Trajectories with a correct turn that has the target instruction, by run and turn limit
-- rebuilds: arch_instruction_correctness_by_release_date.csv
-- evidence: reported
-- source: ptxbench
-- key: run, turn_limit
-- column: model | text | model as the source names it
-- column: arch | text | hopper (H100) or blackwell (B200)
-- column: required_arch_sass_tag | text | letter of the target architecture: H (Hopper) or B (Blackwell)
-- column: workload | text | UUID of the workload
-- column: workload_name | text | the workload as the source names it
-- column: definition | text | the task
-- column: run | text | directory name of the run; stands for the published exp_dir, whose leading directories are private
-- column: date | text | release date of the model as the source gives it, in this file YYYY-MMDD
-- column: turn_limit | integer | turns below this number count (a run has turns 0 to 7)
-- column: n_trajectories | integer counts trajectories | trajectories of the run that have a turn record
-- column: correct_with_arch | integer counts trajectories | trajectories with a turn below the limit that is Correct and whose PTX text
-- | has the target letter
-- column: correct_with_arch_rate | repr | correct_with_arch / n_trajectories
-- column: n_correct_turns | integer counts turns | Correct turns below the limit
-- column: n_unknown_correct_turns | integer | Correct turns below the limit whose executed instructions are unknown; 0 where there is no
-- | Correct turn
-- column: tag_evidence | text | what the published count rests on
-- column: wilson_low | fixed 6 | lower end of the 95 % Wilson interval of correct_with_arch_rate; not published
-- column: wilson_high | fixed 6 | upper end of it; not published
-- denominator: correct_with_arch_rate, wilson_low, wilson_high | n_trajectories
-- not derivable: tag_evidence | the published count rests on executed SASS instructions (dynamic_sass), whose record per turn was never
-- | published; ours rests on the letters found in the PTX text, which is other and weaker evidence
-- note: evidence. The published correct_with_arch counts a trajectory when Nsight Compute saw one predicate-true GMMA or TMA (H) or TCGEN
-- | (B) instruction executed in a Correct turn. What is published per turn is only a tag of the PTX text: H for stmatrix,
-- | cp.async.bulk.tensor, barrier.cluster, setmaxnreg, elect.sync, mapa, mbarrier or wgmma; B for tcgen05 or red.global.v4. Where the two
-- | counts are the SAME, the numbers agree; the evidence does not become one: SAME here does not verify that any instruction was
-- | executed.
-- note: n_unknown_correct_turns is between 0 and n_correct_turns. Where n_correct_turns is 0 it must be 0; elsewhere nothing published
-- | per turn decides it.
WITH tagged AS (
	SELECT run_id, turn_limit, count(*) AS n_trajectories, count(*) FILTER (WHERE first_target < turn_limit) AS correct_with_arch
	FROM trajectory CROSS JOIN turn_limit GROUP BY run_id, turn_limit
),
counted AS (SELECT run_id, turn_limit, sum(correct_turns) AS n_correct_turns FROM trajectory_limit GROUP BY run_id, turn_limit)
SELECT r.model, r.arch, r.required_tag AS required_arch_sass_tag, r.workload, r.workload_name, r.task AS definition, r.run,
	substr(r.date, 1, 7) || substr(r.date, 9) AS date, t.turn_limit, t.n_trajectories, t.correct_with_arch,
	CAST(t.correct_with_arch AS REAL) / t.n_trajectories AS correct_with_arch_rate, ifnull(c.n_correct_turns, 0) AS n_correct_turns,
	CASE ifnull(c.n_correct_turns, 0) WHEN 0 THEN 0 END AS n_unknown_correct_turns, NULL AS tag_evidence,
	wilson_low(t.correct_with_arch, t.n_trajectories) AS wilson_low,
	wilson_high(t.correct_with_arch, t.n_trajectories) AS wilson_high
FROM run r JOIN tagged t USING (run_id) LEFT JOIN counted c ON c.run_id = t.run_id AND c.turn_limit = t.turn_limit
ORDER BY r.position, r.run, t.turn_limit;
-- lineage: model, arch, required_arch_sass_tag, workload, workload_name, definition, date
SELECT 'artifact/runs/' || r.run || '/run.json' AS file, 1 AS line FROM run r WHERE r.run = :run;
-- lineage: n_trajectories
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) WHERE r.run = :run;
-- lineage: correct_with_arch, correct_with_arch_rate, wilson_low, wilson_high
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) WHERE r.run = :run AND t.correct AND t.has_target
	AND t.turn < :turn_limit;
-- lineage: n_correct_turns, n_unknown_correct_turns
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) WHERE r.run = :run AND t.correct AND t.turn < :turn_limit;
