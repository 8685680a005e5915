-- claim: C8
-- title: The base model writes no correct kernel on Hopper
-- statement: Qwen3.6-27B without fine-tuning and without retrieval has no Correct turn on Hopper
-- paper: the authors' blog post on PTXBench, 2026-08-17: the base model produces no correct kernel on any Hopper workload
-- evidence: reported
-- source: ptxbench
-- expect: HOLDS
-- column: runs | integer counts runs | runs of the base model on Hopper
-- column: turns | integer counts turns | their turn records
-- column: correct_turns | integer counts turns | Correct ones
-- column: wilson_high | fixed 2 | upper end of the 95 % Wilson interval of the percent of turns correct
-- denominator: wilson_high | turns
-- note: reading: all runs of the label, with and without the extra checklist; on Blackwell the same model has one Correct turn
SELECT sum(b.correct_turns) = 0 AS holds, count(DISTINCT r.run_id) AS runs, sum(b.turns) AS turns,
	sum(b.correct_turns) AS correct_turns,
	100 * wilson_high(sum(b.correct_turns), sum(b.turns)) AS wilson_high
FROM run r JOIN trajectory_limit b USING (run_id)
WHERE r.model IN (SELECT base_model FROM fact_sft) AND r.arch = 'hopper' AND r.retrieval = 'none'
	AND b.turn_limit = (SELECT max(l.turn_limit) FROM turn_limit l);
-- lineage: runs, turns, wilson_high
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
WHERE r.model IN (SELECT base_model FROM fact_sft) AND r.arch = 'hopper' AND r.retrieval = 'none';
-- lineage: correct_turns
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
WHERE r.model IN (SELECT base_model FROM fact_sft) AND r.arch = 'hopper' AND r.retrieval = 'none' AND t.correct;
