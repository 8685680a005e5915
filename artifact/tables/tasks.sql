-- title: Tasks and their published workloads
-- rebuilds: new
-- evidence: none
-- key: task, workload
-- column: task | text | name of the definition
-- column: set | text | core: every model, Figure 1; extra: one fine-tune on Hopper
-- column: family | text | kind of operation
-- column: causal | integer | 1: a query sees only the keys up to its own position
-- column: workload | text | UUID of the published workload
-- column: sizes | text | its axes
-- column: inputs | text | input tensors and their types, in the definition's order
-- column: outputs | text | output tensors and their types
-- column: flops | integer | floating-point operations by the formula beside; empty where the published sizes do not decide it
-- column: flops_formula | text | how they are counted
-- column: baseline | text | library whose time is a speedup of 1
-- column: rtol | text | an element is wrong only if it misses rtol and atol both
-- column: atol | text | see rtol
-- column: trials | integer | input sets a candidate is checked on
-- column: inputs_from | text | where upstream takes the inputs from
-- column: input_seed | integer | seed of upstream's generator; empty: none is recorded, the inputs cannot be drawn again
-- note: the definitions here are written anew from the published names, axes, shapes and UUIDs; tasks/<task>/facts.json says where each
-- | was read
SELECT t.task,
	f.paper_set AS "set",
	f.op_family AS family,
	f.causal,
	w.workload,
	(SELECT max(s) FROM (SELECT group_concat(a.axis || '=' || a.value, ' ')
		OVER (ORDER BY a.position ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS s
		FROM workload_axis a WHERE a.workload = w.workload)) AS sizes,
	(SELECT max(s) FROM (SELECT group_concat(i.name || ' ' || i.dtype, ', ')
		OVER (ORDER BY i.position ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS s
		FROM task_tensor i WHERE i.task = t.task AND i.direction = 'input')) AS inputs,
	(SELECT max(s) FROM (SELECT group_concat(o.name || ' ' || o.dtype, ', ')
		OVER (ORDER BY o.position ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS s
		FROM task_tensor o WHERE o.task = t.task AND o.direction = 'output')) AS outputs,
	f.flops,
	f.flops_formula,
	f.baseline_library AS baseline,
	f.rtol,
	f.atol,
	f.trials,
	f.inputs_kind AS inputs_from,
	f.input_seed
FROM task t JOIN fact_task f USING (task) JOIN workload w ON w.task = t.task AND w.workload = f.workload
WHERE f.paper_set <> 'other'
ORDER BY t.task, w.workload;
-- lineage: workload, sizes
SELECT 'tasks/' || w.task || '/workloads.jsonl' AS file, w.line FROM workload w WHERE w.workload = :workload;
-- lineage: set, family, causal, flops, flops_formula, baseline, rtol, atol, trials, inputs_from, input_seed
SELECT 'tasks/' || f.task || '/facts.json' AS file, f.line FROM fact_task f WHERE f.task = :task;
-- lineage: inputs, outputs
SELECT 'tasks/' || t.task || '/task.json' AS file, 1 AS line FROM task t WHERE t.task = :task;
