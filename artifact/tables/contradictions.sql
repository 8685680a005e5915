-- title: What the published data says against itself, run by run
-- rebuilds: new
-- evidence: reported
-- source: ptxbench
-- key: finding, run
-- column: finding | text | what is at odds; the notes say what with
-- column: run | text | directory name of the run
-- column: model | text | model as the source names it
-- column: arch | text | hopper or blackwell
-- column: task | text | task
-- column: found | integer | turns of the run of which it is so
-- column: of | integer | turns of the run of which it could be so
-- column: percent | fixed 1 | 100 * found / of
-- column: best_speedup | fixed 3 | greatest speedup of the run; empty if no turn is Correct
-- column: best_target_speedup | fixed 3 | greatest speedup of a Correct turn that has the target letter; empty if there is none
-- denominator: percent | of
-- denominator: best_speedup, best_target_speedup | time of the vendor library on the same workload
-- note: faster without target: Correct turns without the target letter that are faster than every Correct turn with it, of the Correct
-- | turns. The run's published best speedup is then not one of the target architecture's instructions, though the benchmark is about
-- | these
-- note: correct without target: Correct turns whose PTX text has no instruction of the target architecture, of the Correct turns
-- note: evaluated where trained: turn records of a fine-tune on a task that its training set was made of, of the run's turn records
-- note: evaluated and trained on: turn records of a run that is published as an evaluation and is also a source of a training set (s0),
-- | of the run's turn records
-- note: tag on a failed turn: failed turns that have a tag, of the failed turns. Elsewhere no failed turn has one: this run was exported
-- | by a tool that gave all turns of a trajectory one tag, so the tags of its Correct turns are no record of the turn either
-- note: no reasoning reported: turn records with 0 reasoning tokens, of the run's turn records, where the model reasons in all others
-- note: shown the answer: Correct turns of the variant whose feedback quotes a correct kernel for the same task, of the turn records
WITH most AS (SELECT max(turn_limit) AS turn_limit FROM turn_limit),
best AS MATERIALIZED (
	SELECT b.run_id, sum(b.turns) AS turns, sum(b.correct_turns) AS correct_turns, sum(b.target_turns) AS target_turns,
		max(b.best_speedup) AS best_speedup, max(b.best_target_speedup) AS best_target_speedup
	FROM trajectory_limit b JOIN most USING (turn_limit) GROUP BY b.run_id
),
case_of AS (
	SELECT 'faster without target' AS finding, b.run_id,
		(SELECT count(*) FROM turn t WHERE t.run_id = b.run_id AND t.correct AND NOT t.has_target
			AND (b.best_target_speedup IS NULL OR t.speedup > b.best_target_speedup)) AS found, b.correct_turns AS "of"
	FROM best b WHERE b.correct_turns > 0
	UNION ALL
	SELECT 'correct without target', b.run_id, b.correct_turns - b.target_turns, b.correct_turns FROM best b
	UNION ALL
	SELECT 'evaluated where trained', b.run_id, b.turns, b.turns FROM best b JOIN run r USING (run_id)
	WHERE EXISTS (SELECT 1 FROM fact_training_overlap o WHERE o.model = r.model AND o.task = r.task)
	UNION ALL
	SELECT 'evaluated and trained on', b.run_id, b.turns, b.turns FROM best b JOIN run r USING (run_id)
	WHERE EXISTS (SELECT 1 FROM fact_training_overlap o WHERE o.run = r.run)
	UNION ALL
	SELECT 'tag on a failed turn', t.run_id, count(*), b.turns - b.correct_turns FROM turn t JOIN best b USING (run_id)
	WHERE NOT t.correct AND t.arch_tag <> '' GROUP BY t.run_id
	UNION ALL
	SELECT 'no reasoning reported', t.run_id, count(*), b.turns FROM turn t JOIN best b USING (run_id)
	WHERE t.reasoning_tokens = 0 GROUP BY t.run_id
	UNION ALL
	SELECT 'shown the answer', b.run_id, b.correct_turns, b.turns FROM best b JOIN run r USING (run_id)
		WHERE r.retrieval = 'notes and kernel'
)
SELECT c.finding, r.run, r.model, r.arch, r.task, c.found, c."of", CAST(100 * c.found AS REAL) / c."of" AS percent,
	b.best_speedup, b.best_target_speedup
FROM case_of c JOIN run r USING (run_id) JOIN best b USING (run_id)
WHERE c.found > 0
ORDER BY c.finding, r.position, r.run;
-- lineage: found, percent
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
WHERE r.run = :run AND CASE :finding
	WHEN 'faster without target' THEN t.correct AND NOT t.has_target
		AND (:best_target_speedup IS NULL OR t.speedup > :best_target_speedup)
	WHEN 'correct without target' THEN t.correct AND NOT t.has_target
	WHEN 'tag on a failed turn' THEN NOT t.correct AND t.arch_tag <> ''
	WHEN 'no reasoning reported' THEN t.reasoning_tokens = 0
	WHEN 'shown the answer' THEN t.correct
	ELSE 1 END;
-- lineage: of
SELECT t.turn_id FROM turn t JOIN run r USING (run_id)
WHERE r.run = :run AND CASE :finding
	WHEN 'faster without target' THEN t.correct
	WHEN 'correct without target' THEN t.correct
	WHEN 'tag on a failed turn' THEN NOT t.correct
	ELSE 1 END;
-- lineage: best_speedup
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) WHERE r.run = :run AND t.speedup = :best_speedup;
-- lineage: best_target_speedup
SELECT t.turn_id FROM turn t JOIN run r USING (run_id) WHERE r.run = :run AND t.correct AND t.has_target
	AND t.speedup = :best_target_speedup;
-- lineage: model, arch, task
SELECT 'artifact/runs/' || r.run || '/run.json' AS file, 1 AS line FROM run r WHERE r.run = :run;
