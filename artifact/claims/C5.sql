-- claim: C5
-- title: The target instruction does not bring speed
-- statement: Correct turns with the target instruction mostly stay far from the speed of the library
-- paper: arXiv 2608.17379, abstract: executing the target instructions does not necessarily translate into competitive performance
-- evidence: reported
-- source: ptxbench
-- expect: HOLDS
-- column: target_turns | integer counts turns | Correct turns of the frontier models whose PTX text has the target letter
-- column: competitive | integer counts turns | those with a speedup of at least 0.9
-- column: percent | fixed 1 | 100 * competitive / target_turns
-- column: below_half | integer counts turns | those with a speedup below 0.5
-- column: at_least_library | integer counts turns | those with a speedup of at least 1
-- denominator: percent | target_turns
-- note: reading: competitive is at least 0.9 times the library, within the ten percent that clocks and inputs may well make; the claim
-- | holds if fewer than half of these turns are. The sentence itself (not necessarily) would hold with a single one
-- note: target is a tag of the PTX text; that an instruction stands there does not show that it was executed, let alone that it did the
-- | work
SELECT 2 * count(*) FILTER (WHERE t.speedup >= real('0.9')) < count(*) AS holds, count(*) AS target_turns,
	count(*) FILTER (WHERE t.speedup >= real('0.9')) AS competitive,
		CAST(100 * count(*) FILTER (WHERE t.speedup >= real('0.9')) AS REAL) / count(*) AS percent,
	count(*) FILTER (WHERE t.speedup < real('0.5')) AS below_half, count(*) FILTER (WHERE t.speedup >= 1) AS at_least_library
FROM run r JOIN turn t USING (run_id)
WHERE r.planned_trajectories = 12 AND r.retrieval = 'none'
		AND r.model NOT IN (SELECT base_model FROM fact_sft) AND r.model NOT IN (SELECT model FROM fact_sft) AND t.correct
			AND t.has_target;
-- lineage: target_turns, percent
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN fact_task f USING (task)
WHERE r.planned_trajectories = 12 AND r.retrieval = 'none'
	AND r.model NOT IN (SELECT base_model FROM fact_sft) AND r.model NOT IN (SELECT model FROM fact_sft)
	AND t.correct AND t.has_target;
-- lineage: competitive
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN fact_task f USING (task)
WHERE r.planned_trajectories = 12 AND r.retrieval = 'none'
	AND r.model NOT IN (SELECT base_model FROM fact_sft) AND r.model NOT IN (SELECT model FROM fact_sft)
	AND t.correct AND t.has_target AND t.speedup >= real('0.9');
-- lineage: below_half
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN fact_task f USING (task)
WHERE r.planned_trajectories = 12 AND r.retrieval = 'none'
	AND r.model NOT IN (SELECT base_model FROM fact_sft) AND r.model NOT IN (SELECT model FROM fact_sft)
	AND t.correct AND t.has_target AND t.speedup < real('0.5');
-- lineage: at_least_library
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) JOIN fact_task f USING (task)
WHERE r.planned_trajectories = 12 AND r.retrieval = 'none'
	AND r.model NOT IN (SELECT base_model FROM fact_sft) AND r.model NOT IN (SELECT model FROM fact_sft)
	AND t.correct AND t.has_target AND t.speedup >= 1;
