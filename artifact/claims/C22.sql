-- claim: C22
-- title: The target instructions were executed
-- statement: Each Correct turn that counts with the target instruction executed it
-- paper: arXiv 2608.17379, abstract: whether selected target instructions execute at runtime
-- evidence: reported
-- source: ptxbench
-- expect: NOT DERIVABLE
-- column: target_turns | integer counts turns | Correct turns whose PTX text has the target letter
-- column: executed | integer | those for which executed instructions are recorded
-- note: not derivable: the per-turn SASS records were never published, nor the kernels. Replaying kernels is the rung of the ladder that
-- | could decide it
SELECT CASE WHEN count(*) FILTER (WHERE t.evidence = 'executed') = count(*) THEN 1 END AS holds, count(*) AS target_turns,
	count(*) FILTER (WHERE t.evidence = 'executed') AS executed
FROM turn t WHERE t.correct AND t.has_target;
-- lineage: target_turns
SELECT t.turn_id FROM turn t WHERE t.correct AND t.has_target;
