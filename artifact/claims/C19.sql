-- claim: C19
-- kind: finding
-- title: Every tag is that of its turn
-- statement: Only Correct turns have a tag of the PTX text, as the tool writes it: a tag on a failed turn shows that it was copied from
-- | another turn
-- paper: column arch_tag of reasoning_tokens_vs_performance.csv
-- evidence: reported
-- source: ptxbench
-- expect: FAILS
-- column: failed_turns | integer counts turns | turns that are not Correct
-- column: tagged | integer counts turns | those with a tag
-- column: runs | integer counts runs | runs they stand in
-- column: correct_turns | integer | Correct turns of these runs, whose tags are thus in doubt
-- note: said by the data against itself: an older tool gave all turns of a trajectory one tag; one run (2026-0609-2340) still has such
-- | tags
SELECT count(*) FILTER (WHERE t.arch_tag <> '') = 0 AS holds, count(*) AS failed_turns,
	count(*) FILTER (WHERE t.arch_tag <> '') AS tagged,
	count(DISTINCT CASE WHEN t.arch_tag <> '' THEN t.run_id END) AS runs,
	(SELECT sum(b.correct_turns) FROM trajectory_limit b WHERE b.turn_limit = (SELECT max(l.turn_limit) FROM turn_limit l)
		AND b.run_id IN (SELECT d.run_id FROM turn d WHERE NOT d.correct AND d.arch_tag <> '')) AS correct_turns
FROM turn t WHERE NOT t.correct;
-- lineage: failed_turns
SELECT t.turn_id FROM turn t WHERE NOT t.correct;
-- lineage: tagged, runs
SELECT t.turn_id FROM turn t WHERE NOT t.correct AND t.arch_tag <> '';
-- lineage: correct_turns
SELECT t.turn_id FROM turn t WHERE t.correct AND t.run_id IN (SELECT d.run_id FROM turn d WHERE NOT d.correct
	AND d.arch_tag <> '');
