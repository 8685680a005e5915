-- The ledger as queries see it. Part 1 is run before loading, part 2 (after the line "-- loaded") when everything but the records of replays is in.
-- Loaded into memory at each run from artifact/runs, artifact/facts, artifact/expected and tasks; never the truth.
--
-- Conventions: 0/1 are truth values; NULL means "there is none" or "unknown"; ids count up from 1 in the order of loading.
-- Rows whose name ends in _row are the storage; the views beside them are what tables and claims are written against. Each
-- view shows only runs of the grade that the table's head names (the program sets evidence_wanted(), an evidence_id, NULL for all),
-- so that no table mixes grades, and, where the head names a source, of that source alone (run_first() to run_last(), the source's
-- run_ids); `explain --sql` sees all of them.
--
-- Functions besides SQLite's own harmless ones (the list stands in runner/derive/query.c):
--   wilson_low(k, n), wilson_high(k, n)  95 % score interval of the share k/n (Wilson, JASA 22, 1927, p. 209, z = 1.959963984540054,
--                                        the standard normal's 0.975 quantile); 0 <= k <= n; NULL for n = 0 or a NULL argument
--   real(text)      the double nearest to a decimal number, by strtod. Write real('0.9'), not 0.9: SQLite's own
--                   conversion of literals changed between versions
--   median(x)       aggregate over integers, NULLs skipped: the middle one, or half the sum of the middle two, as REAL; NULL of none
--   sum(x)          as SQLite's, but of integers only: sums of reals depend on their order and on SQLite's version
--   like, glob, instr, replace, upper, lower  as SQLite's, on text; each takes steps by the bytes it goes over
-- Not allowed for the same reasons: avg, total, round, printf, format.

-- artifact/runs/<run>/run.json, in the order (source, position).
CREATE TABLE run_row (
	run_id INTEGER PRIMARY KEY,
	run TEXT NOT NULL UNIQUE,            -- the directory's name
	source TEXT NOT NULL,                -- artifact/sources/<source>, manifests/<source>.dsse.json
	evidence_id INTEGER NOT NULL REFERENCES evidence,
	position INTEGER NOT NULL,           -- order in its source, from 1
	model TEXT NOT NULL,
	arch TEXT NOT NULL,                  -- 'hopper' | 'blackwell'
	task TEXT NOT NULL,                  -- the definition's name
	workload TEXT NOT NULL,              -- UUID
	workload_name TEXT NOT NULL,         -- as the source writes it
	required_tag TEXT NOT NULL,          -- the target architecture's letter: 'H' | 'B'
	date TEXT NOT NULL,                  -- the model's release date as the source gives it, YYYY-MM-DD; '' where it is not known
	checklist TEXT NOT NULL,             -- 'patched' | 'nopatched' | 'unsaid'
	retrieval TEXT NOT NULL,             -- 'none' | 'notes' | 'notes and kernel' | 'unsaid'
	variant TEXT NOT NULL,               -- what else the run's name carries, '' if nothing
	planned_trajectories INTEGER NOT NULL,
	planned_turns INTEGER NOT NULL       -- the turns a trajectory may have
);

-- What a row of a table can be about: each run under its model, arch and task, and under 'all' in place of any of them.
CREATE TABLE run_scope_row (
	model TEXT NOT NULL,
	arch TEXT NOT NULL,
	task TEXT NOT NULL,
	run_id INTEGER NOT NULL REFERENCES run_row,
	evidence_id INTEGER NOT NULL REFERENCES evidence,
	PRIMARY KEY (model, arch, task, run_id)
) WITHOUT ROWID;

-- Grades of evidence. A run is of the strongest grade that any of its turns has (executed, static, unknown, refused);
-- reported turns never stand in one run with others.
CREATE TABLE evidence (evidence_id INTEGER PRIMARY KEY, evidence TEXT NOT NULL UNIQUE);

-- What became of a turn: the published labels, in their order, then those of turns that this program measured.
CREATE TABLE outcome (outcome_id INTEGER PRIMARY KEY, outcome TEXT NOT NULL UNIQUE, measured INTEGER NOT NULL);

-- The usage field that reasoning tokens were read from.
CREATE TABLE reasoning_source (reasoning_source_id INTEGER PRIMARY KEY, reasoning_source TEXT NOT NULL UNIQUE);

-- artifact/runs/<run>/turns.jsonl, in file order; the turns of a trajectory have consecutive ids.
CREATE TABLE turn_row (
	turn_id INTEGER PRIMARY KEY,
	run_id INTEGER NOT NULL REFERENCES run_row,
	trajectory INTEGER NOT NULL,         -- from 0
	turn INTEGER NOT NULL,               -- from 0; a turn limit T keeps turn < T
	outcome_id INTEGER NOT NULL REFERENCES outcome,
	correct INTEGER NOT NULL,            -- 1: outcome is 'Correct' or, measured, 'correct'
	speedup REAL,                        -- baseline time / candidate time; NULL where the turn has none
	speedup_text TEXT,                   -- the same as the source wrote it; NULL where the turn has none
	arch_tag TEXT NOT NULL,              -- architectures whose instructions stand in the PTX text, as the source wrote it: '', 'A', 'H, B'
	has_target INTEGER NOT NULL,         -- 1: the run's required_tag stands in arch_tag
	reasoning_tokens INTEGER,            -- NULL: unknown
	reasoning_source_id INTEGER REFERENCES reasoning_source,
	evidence_id INTEGER NOT NULL REFERENCES evidence,  -- the run's grade
	turn_evidence_id INTEGER NOT NULL REFERENCES evidence,
	line INTEGER NOT NULL,               -- in artifact/runs/<run>/turns.jsonl
	source_line INTEGER                  -- in the source's file; NULL: there is none
);

-- The turn limits that the published tables use.
CREATE TABLE turn_limit (turn_limit INTEGER PRIMARY KEY);
INSERT INTO turn_limit VALUES (1), (4), (8);

-- tasks/<task>/task.json: the definition. Axes, inputs and outputs in the order of the definition.
CREATE TABLE task (
	task TEXT PRIMARY KEY,
	op_type TEXT NOT NULL,
	description TEXT
) WITHOUT ROWID;
CREATE TABLE task_axis (
	task TEXT NOT NULL REFERENCES task,
	position INTEGER NOT NULL,           -- from 1
	axis TEXT NOT NULL,
	kind TEXT NOT NULL,                  -- 'const' | 'var'
	value INTEGER,                       -- NULL for 'var'
	PRIMARY KEY (task, axis)
) WITHOUT ROWID;
CREATE TABLE task_tensor (
	task TEXT NOT NULL REFERENCES task,
	direction TEXT NOT NULL,             -- 'input' | 'output'
	position INTEGER NOT NULL,           -- from 1
	name TEXT NOT NULL,
	dtype TEXT NOT NULL,
	shape TEXT,                          -- axes joined by ',': 'M,K'; '' for a 0-dimensional tensor; NULL for a host scalar
	PRIMARY KEY (task, direction, position)
) WITHOUT ROWID;
-- tasks/<task>/workloads.jsonl, one row a line.
CREATE TABLE workload (
	workload TEXT PRIMARY KEY,           -- UUID
	task TEXT NOT NULL REFERENCES task,
	line INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE workload_axis (
	workload TEXT NOT NULL REFERENCES workload,
	position INTEGER NOT NULL,           -- from 1
	axis TEXT NOT NULL,
	value INTEGER NOT NULL,
	PRIMARY KEY (workload, axis)
) WITHOUT ROWID;
CREATE TABLE workload_input (
	workload TEXT NOT NULL REFERENCES workload,
	position INTEGER NOT NULL,           -- from 1
	input TEXT NOT NULL,
	type TEXT NOT NULL,                  -- 'random' | 'scalar' | 'safetensors'
	value,                               -- of a scalar
	path TEXT,                           -- of a safetensors file
	PRIMARY KEY (workload, input)
) WITHOUT ROWID;

-- artifact/replays/RUN/CANDIDATE.json, in the order of their paths: what tables show of a record (docs/records.md says what each member means).
CREATE TABLE replay_row (
	replay_id INTEGER PRIMARY KEY,
	run_id INTEGER NOT NULL REFERENCES run_row,
	trajectory INTEGER NOT NULL,         -- in that run
	turn INTEGER NOT NULL,               -- of that trajectory
	candidate TEXT NOT NULL,
	label TEXT NOT NULL,                 -- who made it
	arch TEXT NOT NULL,                  -- what it is assembled for: 'sm_90a'
	date TEXT NOT NULL,                  -- of the measurement
	outcome TEXT NOT NULL,
	rule TEXT,                           -- that was broken; NULL: correct
	published TEXT NOT NULL,             -- 'pass' | 'fail' | 'unknown': PTXBench's rule, of the trials of normal values
	strict TEXT NOT NULL,                -- error no worse than the library's, of all trials; it decides the outcome
	published_trials INTEGER NOT NULL,   -- trials of normal values
	published_passed INTEGER NOT NULL,   -- of them: the candidate keeps the published rule
	library_passed INTEGER,              -- of them: the vendor library keeps it; NULL: there was none
	trials_planned INTEGER NOT NULL,
	trials_passed INTEGER NOT NULL,
	trials_failed INTEGER NOT NULL,
	trials_not_run INTEGER NOT NULL,
	failure_rate_bound REAL,             -- at 95 %; NULL: a trial failed
	counted TEXT NOT NULL,               -- 'executed' | 'not_executed' | 'refused' | 'failed' | 'unknown'
	share REAL,                          -- of the task's FLOPs by wgmma and tcgen05; NULL: not known
	wgmma_share REAL,
	warp_share REAL,                     -- by multiplies of one warp (mma.sync)
	tma_bytes_least INTEGER NOT NULL,    -- moved through tensor maps, at least
	tma_bytes_most INTEGER NOT NULL,
	decoy INTEGER NOT NULL,              -- 1: target instructions, be it null ones, stand in the code and did under 1 % of the FLOPs
	speedup REAL,                        -- median of baseline time / candidate time; NULL: not timed
	speedup_low REAL,                    -- its 95 % interval
	speedup_high REAL,
	cycles REAL,                         -- the speedup in SM cycles: median of baseline cycles / candidate cycles; NULL: a clock is not known
	control REAL,                        -- the library beside itself, among the same pairs: median ratio
	pairs INTEGER,
	throttled INTEGER,
	candidate_ns REAL,                   -- medians
	baseline_ns REAL,
	candidate_hz INTEGER,                -- mean SM clock during the calls, medians
	baseline_hz INTEGER,
	suspect TEXT,                        -- why the speed is suspect, joined by '; ', '' if it is not; NULL: not timed
	memcheck TEXT,                       -- 'clean' | 'errors' | 'missing' | 'refused' | 'failed' | 'skipped'; NULL: of before there was one
	device TEXT NOT NULL,
	driver TEXT,
	library TEXT,                        -- of the baseline; NULL: not timed
	ptxas TEXT,                          -- version; NULL: the frozen cubin was run
	cubin TEXT,                          -- its SHA-256; NULL: there was none
	UNIQUE (run_id, trajectory, turn)
);

-- artifact/runs/<run>/training_set.json: the repair set that the run's model was tuned on, and the tasks that it has pairs of.
CREATE TABLE training_set (
	run_id INTEGER PRIMARY KEY REFERENCES run_row,
	sha256 TEXT NOT NULL,                -- of the set
	pairs INTEGER NOT NULL
);
CREATE TABLE training_task (
	run_id INTEGER NOT NULL REFERENCES training_set,
	task TEXT NOT NULL,
	pairs INTEGER NOT NULL,              -- at least 1
	PRIMARY KEY (run_id, task)
) WITHOUT ROWID;
-- conflicts of manifests/submissions/<id>/artifact/submission.json: what a submitter states of its source's model.
CREATE TABLE conflict (
	source TEXT NOT NULL,
	task TEXT NOT NULL,
	trained TEXT NOT NULL,               -- was it in the training set? 'yes' | 'no' | 'unknown'
	file TEXT NOT NULL,
	PRIMARY KEY (source, task)
) WITHOUT ROWID;

-- Published cells: artifact/expected/<source>/<table>.jsonl.
CREATE TABLE expected (
	table_name TEXT NOT NULL,
	row TEXT NOT NULL,
	column_name TEXT NOT NULL,
	text TEXT,                           -- NULL: published as empty
	source TEXT NOT NULL,
	PRIMARY KEY (table_name, row, column_name)
) WITHOUT ROWID;

-- artifact/sources/<source>/source.json: what was carried over, as it was counted then. NULL: it does not say.
CREATE TABLE source (
	source TEXT PRIMARY KEY,
	runs INTEGER,
	trajectories INTEGER,
	turns INTEGER,
	first_line INTEGER,                  -- the turns stand on the lines from first_line to last_line of the source's file,
	last_line INTEGER                    -- one on each
) WITHOUT ROWID;
-- The published cells that came from it: so many rows, each with a cell for each column.
CREATE TABLE source_table (
	source TEXT NOT NULL REFERENCES source,
	table_name TEXT NOT NULL,
	rows INTEGER NOT NULL,
	PRIMARY KEY (source, table_name)
) WITHOUT ROWID;
CREATE TABLE source_column (
	source TEXT NOT NULL REFERENCES source,
	table_name TEXT NOT NULL,
	column_name TEXT NOT NULL,
	PRIMARY KEY (source, table_name, column_name)
) WITHOUT ROWID;

-- artifact/facts/<name>.jsonl becomes fact_<name>: a column a field (the same fields in every line), and `line`, the line in the file.
-- tasks/<task>/facts.json becomes fact_task in the same way, one row a task in the order of their names, `line` being 1.
-- true and false are 1 and 0; numbers without fraction and exponent are INTEGER, others REAL.

-- Summaries, added up by the loader (summary.c) while the turns pass by, so that tables need not pass over every turn again. Each equals a
-- query over turn (tests/unit/test_query.c holds them to it).
--
-- One row a trajectory that has a turn record.
CREATE TABLE trajectory_row (
	trajectory_id INTEGER PRIMARY KEY,
	run_id INTEGER NOT NULL REFERENCES run_row,
	trajectory INTEGER NOT NULL,
	evidence_id INTEGER NOT NULL REFERENCES evidence,
	turns INTEGER NOT NULL,              -- turn records it has
	first_correct INTEGER,               -- the earliest turn that is correct; NULL: none is
	first_target INTEGER,                -- the earliest turn that is correct and has the target; NULL: none is
	tokens_known INTEGER NOT NULL,       -- turn records whose reasoning tokens are known
	tokens INTEGER                       -- their reasoning tokens added up; NULL: none is known
);

-- One row a run, turn limit and trajectory that has a turn record below the limit.
CREATE TABLE trajectory_limit_row (
	run_id INTEGER NOT NULL REFERENCES run_row,
	turn_limit INTEGER NOT NULL REFERENCES turn_limit,
	trajectory INTEGER NOT NULL,
	evidence_id INTEGER NOT NULL REFERENCES evidence,
	turns INTEGER NOT NULL,              -- turn records below the limit
	correct_turns INTEGER NOT NULL,      -- correct ones among them
	target_turns INTEGER NOT NULL,       -- correct ones that have the target among them
	best_speedup REAL,                   -- greatest speedup below the limit, whatever the outcome and the tag; NULL: none has one
	best_target_speedup REAL,            -- the same among correct turns that have the target
	PRIMARY KEY (run_id, turn_limit, trajectory)
) WITHOUT ROWID;

-- One row a run and outcome that any of its turns has.
CREATE TABLE run_outcome_row (
	run_id INTEGER NOT NULL REFERENCES run_row,
	outcome_id INTEGER NOT NULL REFERENCES outcome,
	evidence_id INTEGER NOT NULL REFERENCES evidence,
	turns INTEGER NOT NULL,
	PRIMARY KEY (run_id, outcome_id)
) WITHOUT ROWID;

CREATE VIEW run AS
SELECT run_id, run, source, (SELECT e.evidence FROM evidence e WHERE e.evidence_id = r.evidence_id) AS evidence, position, model, arch, task,
	workload, workload_name, required_tag, date, checklist, retrieval, variant, planned_trajectories, planned_turns
FROM run_row r
WHERE r.evidence_id = ifnull(evidence_wanted(), r.evidence_id) AND +r.run_id BETWEEN run_first() AND run_last();

CREATE VIEW run_scope AS
SELECT run_id, model, arch, task
FROM run_scope_row s
WHERE s.evidence_id = ifnull(evidence_wanted(), s.evidence_id) AND +s.run_id BETWEEN run_first() AND run_last();

CREATE VIEW turn AS
SELECT turn_id, run_id, trajectory, turn, outcome_id,
	(SELECT o.outcome FROM outcome o WHERE o.outcome_id = t.outcome_id) AS outcome,
	correct, speedup, speedup_text, arch_tag, has_target, reasoning_tokens,
	(SELECT s.reasoning_source FROM reasoning_source s WHERE s.reasoning_source_id = t.reasoning_source_id) AS reasoning_source,
	(SELECT e.evidence FROM evidence e WHERE e.evidence_id = t.turn_evidence_id) AS evidence,
	line, source_line
FROM turn_row t
WHERE t.evidence_id = ifnull(evidence_wanted(), t.evidence_id) AND +t.run_id BETWEEN run_first() AND run_last();

CREATE VIEW trajectory AS
SELECT trajectory_id, run_id, trajectory, turns, first_correct, first_target, tokens_known, tokens
FROM trajectory_row t
WHERE t.evidence_id = ifnull(evidence_wanted(), t.evidence_id) AND +t.run_id BETWEEN run_first() AND run_last();

CREATE VIEW trajectory_limit AS
SELECT run_id, turn_limit, trajectory, turns, correct_turns, target_turns, best_speedup, best_target_speedup
FROM trajectory_limit_row t
WHERE t.evidence_id = ifnull(evidence_wanted(), t.evidence_id) AND +t.run_id BETWEEN run_first() AND run_last();

CREATE VIEW run_outcome AS
SELECT run_id, (SELECT o.outcome FROM outcome o WHERE o.outcome_id = t.outcome_id) AS outcome, turns
FROM run_outcome_row t
WHERE t.evidence_id = ifnull(evidence_wanted(), t.evidence_id) AND +t.run_id BETWEEN run_first() AND run_last();

CREATE VIEW replay AS
SELECT p.* FROM replay_row p JOIN run_row r ON r.run_id = p.run_id
WHERE r.evidence_id = ifnull(evidence_wanted(), r.evidence_id) AND +r.run_id BETWEEN run_first() AND run_last();

-- Was the run's task among what its model was tuned on, by all that the bundle says of it? What any run of a model names counts for all runs of that model in its source. A set says no of tasks that it has no pairs of,
-- unless it is empty or the submitter does not know; of what else a model was trained on, only its submitter can tell.
CREATE VIEW trained AS
WITH tuned AS MATERIALIZED (SELECT DISTINCT q.source, q.model FROM training_set s JOIN run_row q USING (run_id) WHERE s.pairs > 0),
has AS MATERIALIZED (SELECT DISTINCT q.source, q.model, k.task FROM training_task k JOIN run_row q USING (run_id))
SELECT r.run_id,
	CASE WHEN h.task IS NOT NULL OR c.trained = 'yes' THEN 'yes' WHEN c.trained = 'no' OR (t.model IS NOT NULL AND c.trained IS NULL) THEN 'no' END AS trained,  -- NULL: nobody says
	CASE WHEN h.task IS NOT NULL THEN 'training set' WHEN c.trained = 'yes' THEN 'submitter' WHEN t.model IS NOT NULL AND ifnull(c.trained, 'no') = 'no' THEN 'training set'
		WHEN c.trained = 'no' THEN 'submitter' END AS said_by,
	s.sha256 AS training_set                                                                                                   -- NULL: the run names none
FROM run r LEFT JOIN training_set s ON s.run_id = r.run_id
	LEFT JOIN tuned t ON t.source = r.source AND t.model = r.model
	LEFT JOIN has h ON h.source = r.source AND h.model = r.model AND h.task = r.task
	LEFT JOIN conflict c ON c.source = r.source AND c.task = r.task;

-- loaded
INSERT OR IGNORE INTO run_scope_row
SELECT iif(any_model, 'all', model), iif(any_arch, 'all', arch), iif(any_task, 'all', task), run_id, evidence_id
FROM run_row, (SELECT 0 AS any_model UNION ALL SELECT 1), (SELECT 0 AS any_arch UNION ALL SELECT 1), (SELECT 0 AS any_task UNION ALL SELECT 1);

-- evidence_id is in it for the view: what asks for a run's turns, or for those of an outcome, need not look at the turns themselves.
CREATE INDEX turn_run ON turn_row (run_id, outcome_id, evidence_id);
-- Few turns are correct or have a speedup.
CREATE INDEX turn_correct ON turn_row (run_id, speedup) WHERE correct;
CREATE INDEX turn_speedup ON turn_row (run_id, speedup) WHERE speedup IS NOT NULL;
CREATE INDEX trajectory_run ON trajectory_row (run_id);
CREATE INDEX run_label ON run_row (model, arch, task);
-- What the planner would not guess: there are few runs, and many turns of each. So a query over both begins with the runs that it wants, whatever order
-- it asks for in the end (a lineage query asks for that of turns, which would make it go over all of them). Not counted but told, so that a plan does not
-- depend on the ledger.
ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 VALUES ('run_row', NULL, '100'), ('turn_row', 'turn_run', '10000000 10 5 5'), ('trajectory_row', NULL, '1000000');
ANALYZE sqlite_schema;
