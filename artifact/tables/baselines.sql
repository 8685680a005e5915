-- title: Recorded times of the vendor library, and the rate they mean
-- rebuilds: new
-- evidence: none
-- key: arch, task
-- column: arch | text | hopper or blackwell
-- column: gpu | text | GPU the file was made on, by upstream's documents; the file itself does not say
-- column: task | text | task
-- column: library | text | library that was timed
-- column: flops | integer | floating-point operations of the workload
-- column: latency_ms | fixed 4 | recorded latency in milliseconds
-- column: tflops | fixed 1 | flops / latency_ms, in 10^12 operations a second
-- column: tflops_published | fixed 1 | the rate that stands beside the latency in the source
-- column: agrees | integer | 1: both rates are the same when rounded to whole TFLOP/s
-- column: percent_off | fixed 2 | 100 * (tflops - tflops_published) / tflops_published
-- column: implied_latency_ms | fixed 4 | the latency that the published rate means: flops / tflops_published
-- denominator: percent_off | tflops_published
-- note: latency and rate of one row of the source are two measurements. Upstream's script (verify_via_service.py at ce95701) submits the
-- | library call as a candidate; it writes the candidate's latency and computes the rate from the service's own latency of the reference.
-- | implied_latency_ms is that second one.
-- note: no latency is recorded for GEMM and GQA. None of these latencies is the denominator of a published speedup: those were timed anew
-- | by each service worker
-- note: forward 4*B*H*S*S*D operations, backward 10*B*H*S*S*D, causal half of either
WITH rate AS (
	SELECT b.arch, b.gpu, b.task, f.baseline_library AS library, f.flops, real(b.latency_ms) AS latency_ms,
		real(b.tflops) AS tflops_published
	FROM fact_baselines b JOIN fact_task f USING (task)
),
compared AS (SELECT rate.*, flops / (latency_ms * 1000000000) AS tflops FROM rate)
SELECT arch, gpu, task, library, flops, latency_ms, tflops, tflops_published,
	CAST(tflops + real('0.5') AS INTEGER) = CAST(tflops_published + real('0.5') AS INTEGER) AS agrees,
	100 * (tflops - tflops_published) / tflops_published AS percent_off,
	flops / (tflops_published * 1000000000) AS implied_latency_ms
FROM compared
ORDER BY arch, task;
-- lineage: gpu, latency_ms, tflops, tflops_published, agrees, percent_off, implied_latency_ms
SELECT 'artifact/facts/baselines.jsonl' AS file, b.line FROM fact_baselines b WHERE b.arch = :arch AND b.task = :task;
-- lineage: library, flops
SELECT 'tasks/' || f.task || '/facts.json' AS file, f.line FROM fact_task f WHERE f.task = :task;
