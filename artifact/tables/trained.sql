-- title: Which runs are of tasks that their model was tuned on
-- rebuilds: new
-- evidence: none
-- key: run
-- column: source | text | whose runs
-- column: model | text | as the source names it
-- column: run | text | directory name of the run
-- column: arch | text | hopper or blackwell
-- column: task | text | the task
-- column: trained | text | yes: what the model was tuned on has the task; no: it has not; not said: nobody says what it was tuned on, if it was
-- column: said_by | text empty - | who says it: `training set`, the manifest that the run names; `submitter`, a submission's statement of conflicts; `facts`,
-- | the published lists of what the fine-tunes were made of
-- column: training_set | text empty - | SHA-256 of the set that the run names
-- column: pairs | integer empty - | pairs of the task in it
-- note: a set that any run of a model names counts for all its runs in that source
-- note: yes is what tuning had of the very task. What a model saw before it was tuned is known to nobody here, and no says nothing of it
-- note: a run that is marked yes is no evidence of how the model does on a task that it has not seen
WITH tuned AS (
	SELECT r.run_id, CASE WHEN EXISTS (SELECT 1 FROM fact_training_overlap o WHERE o.model = r.model AND o.task = r.task) THEN 'yes' ELSE 'no' END AS trained
	FROM run r WHERE r.source = 'ptxbench' AND r.model IN (SELECT s.model FROM fact_sft s)
)
SELECT r.source, r.model, r.run, r.arch, r.task, coalesce(t.trained, f.trained, 'not said') AS trained,
	CASE WHEN t.trained IS NOT NULL THEN t.said_by WHEN f.trained IS NOT NULL THEN 'facts' END AS said_by, t.training_set, k.pairs
FROM run r JOIN trained t USING (run_id) LEFT JOIN tuned f USING (run_id) LEFT JOIN training_task k ON k.run_id = r.run_id AND k.task = r.task
ORDER BY r.source, r.model, r.arch, r.task, r.run;
-- lineage: trained, said_by
SELECT 'artifact/runs/' || q.run || '/training_set.json' AS file, 1 AS line FROM run q JOIN training_set s USING (run_id)
	WHERE q.source = :source AND q.model = :model
UNION ALL SELECT c.file, 1 FROM conflict c WHERE c.source = :source AND c.task = :task
UNION ALL SELECT 'artifact/facts/training_overlap.jsonl', o.line FROM fact_training_overlap o
	WHERE :source = 'ptxbench' AND o.model = :model AND o.task = :task
UNION ALL SELECT 'artifact/facts/sft.jsonl', s.line FROM fact_sft s WHERE :source = 'ptxbench' AND s.model = :model
ORDER BY file, line;
-- lineage: training_set, pairs
SELECT 'artifact/runs/' || r.run || '/training_set.json' AS file, 1 AS line FROM run r JOIN training_set s USING (run_id) WHERE r.run = :run;
