-- title: Candidates measured on a GPU with this program; source says by whom
-- rebuilds: new
-- evidence: executed
-- key: run, candidate
-- column: source | text | who measured: `ptxseal` is this project, another name the source of a submission
-- column: model | text | whose candidates these are, as the run says
-- column: evidence | text | grade of the run; `executed`: which instructions ran was counted
-- column: run | text | directory name of the run
-- column: task | text | name of the definition
-- column: candidate | text | its name below artifact/candidates/TASK; of the source ptxseal they are its own, none of a model's
-- column: arch | text | what it is assembled for
-- column: outcome | text | what became of it
-- column: strict | text | error no worse than the vendor library's on the same inputs, over all trials: pass, fail, unknown; it decides
-- | the outcome
-- column: published | text | PTXBench's rule, over the trials of normal values, which are the paper's: pass, fail
-- column: published_trials | integer | these trials
-- column: published_passed | integer | of them: the candidate keeps the rule
-- column: library_passed | integer empty - | of them: the vendor library itself keeps it
-- column: trials | integer | trials that were run, before, during and after timing
-- column: failed | integer | of them: not right
-- column: bound | general 3 empty - | upper bound of the rate of failures at 95 %, where none failed (rule of three: 3/n)
-- column: counted | text | whether its instructions were counted: executed, not_executed, refused, failed, unknown
-- column: wgmma_share | fixed 4 empty - | share of the task's FLOPs that wgmma did
-- column: warp_share | fixed 4 empty - | share that multiplies of one warp did
-- column: tma_gb_least | fixed 3 | gigabytes moved through tensor maps, at least
-- column: tma_gb_most | fixed 3 | the same, at most
-- column: decoy | text | yes: target instructions stand in the code, be it null ones, and did under 1 % of the FLOPs
-- column: speedup | fixed 4 empty - | median of library time / candidate time over pairs
-- column: speedup_low | fixed 4 empty - | lower end of its 95 % interval (order statistics)
-- column: speedup_high | fixed 4 empty - | upper end
-- column: in_cycles | fixed 4 empty - | the speedup in SM cycles instead of time: median of library cycles / candidate cycles. Under a power cap
-- | the two run at clocks of their own; this is what the code does for a clock, speedup what it does on this card
-- column: control | fixed 4 empty - | the library beside itself among the same pairs, median ratio: what equal calls differ by here
-- column: pairs | integer empty - | timed pairs, warm-up included
-- column: candidate_ms | fixed 4 empty - | median
-- column: library_ms | fixed 4 empty - | median
-- column: clock_mhz | fixed 0 empty - | SM clock during the candidate's calls, median
-- column: library_mhz | fixed 0 empty - | SM clock during the library's calls, median
-- column: suspect | text empty - | what has to be explained before the speed is believed
-- column: memcheck | text empty - | one trial under compute-sanitizer: clean, errors, missing (it was not there), refused, failed, skipped
-- column: device | text | name that the driver gives
-- column: driver | text empty - | its version
-- column: cubin | text empty - | SHA-256 of what ran
-- denominator: wgmma_share, warp_share | FLOPs of the task by its own formula (tasks/TASK/facts.json)
-- denominator: speedup | the candidate's time; pair by pair, on the same inputs, alternating which goes first
-- denominator: bound | trials that passed
-- note: a share over 1 is work that padding or a mask throws away; bytes are between the least and the greatest box of a launch's tensor maps
SELECT r.source, r.model, r.evidence, r.run, r.task, p.candidate, p.arch, p.outcome, p.strict, p.published, p.published_trials, p.published_passed, p.library_passed,
	p.trials_passed + p.trials_failed AS trials, p.trials_failed AS failed, p.failure_rate_bound AS bound, p.counted, p.wgmma_share, p.warp_share,
	CAST(p.tma_bytes_least AS REAL) / 1000000000 AS tma_gb_least, CAST(p.tma_bytes_most AS REAL) / 1000000000 AS tma_gb_most,
	CASE p.decoy WHEN 1 THEN 'yes' ELSE 'no' END AS decoy, p.speedup, p.speedup_low, p.speedup_high, p.cycles AS in_cycles, p.control, p.pairs,
	p.candidate_ns / 1000000 AS candidate_ms, p.baseline_ns / 1000000 AS library_ms, CAST(p.candidate_hz AS REAL) / 1000000 AS clock_mhz,
	CAST(p.baseline_hz AS REAL) / 1000000 AS library_mhz, nullif(p.suspect, '') AS suspect, p.memcheck, p.device, p.driver, p.cubin
FROM replay p JOIN run r USING (run_id)
ORDER BY r.task, r.run, p.candidate;
-- lineage: evidence, outcome, strict, published, published_trials, published_passed, library_passed, trials, failed, bound, counted, wgmma_share, warp_share, tma_gb_least, tma_gb_most, decoy, speedup, speedup_low, speedup_high, in_cycles, control, pairs, candidate_ms, library_ms, clock_mhz, library_mhz, suspect, memcheck
SELECT t.turn_id FROM replay p JOIN run r USING (run_id) JOIN turn t ON t.run_id = p.run_id AND t.trajectory = p.trajectory
WHERE r.run = :run AND p.candidate = :candidate;
