"""Ways to break a submission, each with the rules that it has to be told by: breaks.py PTXSEAL REPO [PART/PARTS]. Beside it stand ./w (a working bundle of lab.py),
./facts.json, ./lab.key and ./a, the archive. Prints what is not told as it should be, then how many there are."""
import hashlib
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import lab

RUN = "lab-gemm_n7168_k5120"
RUN_JSON = f"artifact/runs/{RUN}/run.json"
TURNS = f"artifact/runs/{RUN}/turns.jsonl"
TMA = f"artifact/replays/{RUN}/wgmma-tma.json"
PLAIN = f"artifact/replays/{RUN}/plain.json"
CANDIDATES = "artifact/candidates/gemm_n7168_k5120"

ALL = []


def way(stage, *rules):
    """At stage: archive (which is checked against), facts (the file of facts), working (before it is sealed), sealed (after, and sealed again), raw (after, and not sealed again)."""
    def add(function):
        ALL.append((function.__name__, stage, set(rules), function))
        return function
    return add


def put(tree, path, value):
    *above, last = path.split(".")
    for name in above:
        tree = tree[int(name)] if isinstance(tree, list) else tree[name]
    if isinstance(tree, list):
        tree[int(last)] = value
    elif value is None and last.startswith("-"):
        del tree[last[1:]]
    else:
        tree[last] = value


def change(stage, name, file, path, value, *rules):
    """One member of a record of the working bundle."""
    def function(directory):
        record = lab.load(f"{directory}/{file}")
        put(record, path, value)
        lab.save(f"{directory}/{file}", record)
    function.__name__ = name
    way(stage, *rules)(function)


def samples(name, *rules, follow=True, file=TMA):
    """The samples of a record; what follows from them is worked out again, and the ledger too."""
    def add(function):
        def wrapped(directory):
            record = lab.load(f"{directory}/{file}")
            rows = lab.rows(record)
            function(rows, record)
            lab.put_rows(record, rows)
            if follow:
                lab.add_up(record)
            lab.save(f"{directory}/{file}", record)
            lab.ledger(directory, RUN, lab.records_of(directory, RUN).values())
        wrapped.__name__ = name
        way("working", *rules)(wrapped)
        return function
    return add


# ---- the facts ----

FACT = "R-SUB-001"
for field in ("submitter", "conflicts", "sampling"):
    change("sealed", f"no_{field}", "artifact/submission.json", f"-{field}", None, FACT, *(["R-SUB-019"] if field == "conflicts" else []))
change("sealed", "unknown_field", "artifact/submission.json", "price", "1", FACT)
change("sealed", "other_schema", "artifact/submission.json", "schema", "ptxseal-submission/9", FACT)
change("sealed", "date_of_no_calendar", "artifact/submission.json", "date", "2026-02-30", FACT, "R-SUB-013")
change("sealed", "trained_maybe", "artifact/submission.json", "conflicts.0.trained", "maybe", FACT)
change("sealed", "sampling_number", "artifact/submission.json", "sampling.top_p", 1, FACT)
change("sealed", "run_that_is_not_there", "artifact/submission.json", "runs", [RUN, "lab-none"], FACT)
change("sealed", "hostile_submitter", "artifact/submission.json", "submitter", "a\u001b[2Jlab", "R-NAM-001")
change("sealed", "reordered_text", "artifact/submission.json", "contact", "x\u202elab", "R-NAM-002")
change("sealed", "nothing_said_of_the_task", "artifact/submission.json", "conflicts", [], "R-SUB-019")
change("sealed", "trained", "artifact/submission.json", "conflicts.0.trained", "yes", "R-SUB-041")
change("sealed", "trained_unknown", "artifact/submission.json", "conflicts.0.trained", "unknown")
change("sealed", "model_of_another_name", "artifact/submission.json", "model", "Model M", "R-SUB-003")
change("sealed", "source_of_another_name", "artifact/submission.json", "source", "lab2", "R-SUB-002", "R-SUB-003")
change("sealed", "made_tomorrow", "artifact/submission.json", "date", "2999-01-01", "R-ADM-011")
change("sealed", "made_before_it_was_measured", "artifact/submission.json", "date", "2020-01-01", "R-SUB-013")


@way("raw", "R-SUB-001", "R-BND-003", "R-SUB-002", "R-SUB-003", "R-SUB-019")
def facts_cut_off(directory):
    with open(f"{directory}/artifact/submission.json", "w", encoding="utf-8") as file:
        file.write("{}\n")


# ---- places, names ----

@way("sealed", "R-SUB-002")
def a_claim_of_its_own(directory):
    os.makedirs(f"{directory}/artifact/claims")
    shutil.copyfile(f"{sys.argv[2]}/artifact/claims/C1.sql", f"{directory}/artifact/claims/C1.sql")


@way("sealed", "R-SUB-002")
def a_task_of_its_own(directory):
    shutil.copytree(f"{sys.argv[2]}/tasks/gemm_n7168_k5120", f"{directory}/tasks/gemm_n7168_k5120")


@way("sealed", "R-SUB-018")
def candidate_without_record(directory):
    shutil.copytree(f"{sys.argv[2]}/artifact/candidates/mha_bwd_d128/plain", f"{directory}/artifact/candidates/mha_bwd_d128/plain")


@way("sealed", "R-SUB-018")
def object_without_turn(directory):
    name = "a948904f2f0f479b8f8197694b30184b0d2ed1c1cd2a1ec0fb85d299a192a447"  # of "hello world\n"
    os.makedirs(f"{directory}/artifact/objects/sha256/a9")
    with open(f"{directory}/artifact/objects/sha256/a9/{name}", "w", encoding="utf-8") as file:
        file.write("hello world\n")


change("working", "hostile_label", f"{CANDIDATES}/plain/candidate.json", "label", "x\u0007", "R-STM-004")
change("working", "hostile_device", PLAIN, "device.name", "NVIDIA\u0000200".replace("\u0000", "\u0001"), "R-NAM-001")


def rename(directory, old, new):
    os.rename(f"{directory}/artifact/runs/{old}", f"{directory}/artifact/runs/{new}")
    os.rename(f"{directory}/artifact/replays/{old}", f"{directory}/artifact/replays/{new}")
    for path in [f"artifact/runs/{new}/run.json"] + [f"artifact/replays/{new}/{name}" for name in os.listdir(f"{directory}/artifact/replays/{new}")]:
        tree = lab.load(f"{directory}/{path}")
        tree["run"] = new
        lab.save(f"{directory}/{path}", tree)


@way("working", "R-ADM-002", "R-ADM-003")
def run_of_the_archive(directory):
    rename(directory, RUN, "glm52-gemm")


@way("raw", "R-ADM-014")
def id_of_another_submission(directory):
    """As if two SHA256SUMS had the same first 64 bits of their hash."""
    digest = hashlib.sha256(open(f"{directory}/checksums/SHA256SUMS", "rb").read()).hexdigest()
    os.makedirs(f"a/manifests/submissions/{digest[:16]}/checksums")
    with open(f"a/manifests/submissions/{digest[:16]}/checksums/SHA256SUMS", "w", encoding="utf-8") as file:
        file.write(f"{digest}  artifact/submission.json\n")


@way("facts", "R-ADM-002", "R-ADM-003")
def source_of_the_archive(directory):
    facts = lab.load("facts.json")
    facts["source"] = "ptxbench"
    lab.save(f"{directory}/facts.json", facts)
    run = lab.load(f"{directory}/{RUN_JSON}")
    run["source"] = "ptxbench"
    lab.save(f"{directory}/{RUN_JSON}", run)


@way("working", "R-PTH-003")
def run_of_the_archive_in_capitals(directory):
    rename(directory, RUN, "GLM52-GEMM")


@way("facts", "R-PTH-003")
def source_of_the_archive_in_capitals(directory):
    facts = lab.load("facts.json")
    facts["source"] = "PTXBENCH"
    lab.save(f"{directory}/facts.json", facts)
    run = lab.load(f"{directory}/{RUN_JSON}")
    run["source"] = "PTXBENCH"
    lab.save(f"{directory}/{RUN_JSON}", run)


@way("facts", "R-SUB-040")
def model_of_the_archive(directory):
    facts = lab.load("facts.json")
    facts["model"] = "glm52"
    facts["model"] = lab.load(f"{sys.argv[2]}/artifact/runs/glm52-gemm/run.json")["model"]
    lab.save(f"{directory}/facts.json", facts)
    run = lab.load(f"{directory}/{RUN_JSON}")
    run["model"] = facts["model"]
    lab.save(f"{directory}/{RUN_JSON}", run)


def name_more(directory, path, text):
    """A file that the record of plain names beside its own."""
    os.makedirs(os.path.dirname(f"{directory}/{path}"), exist_ok=True)
    with open(f"{directory}/{path}", "w", encoding="utf-8") as file:
        file.write(text)
    record = lab.load(f"{directory}/{PLAIN}")
    record["candidate"]["files"].append({"path": path, "sha256": hashlib.sha256(text.encode()).hexdigest()})
    lab.save(f"{directory}/{PLAIN}", record)


@way("working", "R-SUB-022")
def record_that_names_a_candidate_more(directory):
    name_more(directory, "artifact/candidates/mha_bwd_d128/new/candidate.json", "{}\n")


@way("working", "R-SUB-022")
def record_that_adds_to_a_candidate_of_the_archive(directory):
    name_more(directory, "artifact/candidates/mha_bwd_d128/plain/more.ptx", "x\n")


@way("working", "R-SUB-022")
def record_that_adds_to_the_sources_of_candidates(directory):
    name_more(directory, "artifact/candidates/source/more.cu", "x\n")


@way("working", "R-SUB-022")
def record_that_names_a_file_more(directory):
    name_more(directory, f"{CANDIDATES}/plain/more.ptx", "x\n")


@way("archive", "R-SUB-022", "R-SUB-017")
def file_more_than_the_candidate_of_the_archive_has(archive):
    shutil.copytree(f"w/{CANDIDATES}/plain", f"{archive}/{CANDIDATES}/plain")
    os.remove(f"{archive}/{CANDIDATES}/plain/kernel.ptx")


def trusted(archive, change_it):
    trust = lab.load(f"{archive}/manifests/trust.json")
    change_it(trust)
    lab.save(f"{archive}/manifests/trust.json", trust)


@way("archive", "R-SIG-012")
def log_key_ended(archive):
    trusted(archive, lambda trust: next(key for key in trust["keys"] if "log" in key["roles"]).update(until="2020-01-01"))


@way("archive", "R-SIG-011")
def log_of_two_keys(archive):
    trusted(archive, lambda trust: trust.update(thresholds={"log": 2}))


# ---- accounting, turns ----

change("working", "trajectory_not_there", RUN_JSON, "planned_trajectories", 9, "R-SUB-005")
change("working", "ended_early", RUN_JSON, "planned_turns", 3, "R-SUB-043")
change("working", "trials_do_not_add_up", TMA, "accounting.not_run", 7, "R-SUB-005", "R-RPL-006")
change("working", "run_of_tomorrow", RUN_JSON, "date", "2999-01-01", "R-SUB-013")


@way("working", "R-SUB-006")
def ledger_of_another_outcome(directory):
    text = open(f"{directory}/{TURNS}", encoding="utf-8").read().replace('"wrong_result"', '"timeout"')
    open(f"{directory}/{TURNS}", "w", encoding="utf-8").write(text)


@way("working", "R-SUB-006")
def ledger_of_another_speedup(directory):
    record = lab.load(f"{directory}/{TMA}")
    text = open(f"{directory}/{TURNS}", encoding="utf-8").read().replace(record["timing"]["speedup"]["median"], "1.07")
    open(f"{directory}/{TURNS}", "w", encoding="utf-8").write(text)


@way("working", "R-SUB-006")
def turn_without_record(directory):
    os.remove(f"{directory}/{PLAIN}")
    shutil.rmtree(f"{directory}/{CANDIDATES}/plain")


change("working", "record_of_another_trajectory", PLAIN, "trajectory", 77, "R-SUB-006")

# ---- records ----

change("working", "stand_in", TMA, "stand_in", True, "R-RPL-007")
change("working", "member_missing", TMA, "-took", None, "R-RPL-006")
change("working", "member_of_another_kind", TMA, "timing.pairs", "376", "R-RPL-006")
change("working", "member_that_is_not_known", TMA, "note", "x", "R-RPL-006")
change("working", "another_task", TMA, "problem.task", "mha_bwd_d128", "R-SUB-006", "R-SUB-008", "R-SUB-009")
change("working", "workload_that_is_not_there", TMA, "problem.workload", "00000000-0000-0000-0000-000000000000", "R-SUB-006", "R-SUB-008")
change("working", "more_flops", TMA, "problem.flops", 601295421441, "R-SUB-008")
change("working", "less_traffic", TMA, "problem.bytes", 1000, "R-SUB-008")
change("working", "another_axis", TMA, "problem.axes.K", 64, "R-SUB-008")
change("working", "median_not_of_samples", TMA, "timing.candidate_ns.median", "500000", "R-RPL-013", "R-SUB-007")
change("working", "suspicion_left_out", f"artifact/replays/{RUN}/commit-only.json", "timing.control.median", "1.5", "R-SUB-007", "R-RPL-013")
change("working", "bound_of_failures", TMA, "accounting.failure_rate_bound", "0.001", "R-SUB-007")
change("working", "tally_of_the_published_rule", TMA, "outcome.published_passed", 42, "R-SUB-007")
change("working", "wrong_called_correct", f"artifact/replays/{RUN}/wrong.json", "outcome.label", "correct", "R-SUB-006", "R-SUB-007", "R-RPL-006")
change("working", "element_wrong_and_passed", TMA, "trials.0.outputs.0.error.published_bad", 3, "R-SUB-007")
change("working", "error_too_large_and_passed", TMA, "trials.0.outputs.0.error.rms", "0.5", "R-SUB-007")
change("working", "mark_not_of_its_outputs", TMA, "trials.0.outputs.0.strict", "unknown", "R-SUB-007")
change("working", "roofline_of_another_device", TMA, "timing.roofline.sms", 60, "R-SUB-007")


@way("working", "R-SUB-053")
def value_set_left_out(directory):
    record = lab.load(f"{directory}/{TMA}")
    for trial in record["trials"]:
        if trial["values"] == "negated":
            trial["values"] = "x3"
    lab.save(f"{directory}/{TMA}", record)


@way("working", "R-SUB-007")
def library_slower_than_when_chosen(directory):
    record = lab.load(f"{directory}/{TMA}")
    baseline = record["worker"]["baseline"]
    baseline["tried"][baseline["chosen"]]["nanoseconds"] = [100000] * 15
    lab.save(f"{directory}/{TMA}", record)

# ---- code and evidence ----

change("working", "other_census", TMA, "code.census.0.instructions", 1, "R-SUB-009")
change("working", "share_not_of_counts", TMA, "evidence.share", "0.5", "R-SUB-010")
change("working", "bytes_not_of_counts", TMA, "evidence.bytes_share.least", "1", "R-SUB-010")
change("working", "most_bytes_not_of_counts", TMA, "evidence.bytes_share.most", None, "R-SUB-010")
change("working", "work_done_twice_and_not_told", TMA, "evidence.operations_share.warp", "1", "R-SUB-007", "R-SUB-010")
change("working", "counted_call_not_right", TMA, "evidence.functions.0.call", {"input_bytes_changed": 0, "strict": "fail"}, "R-SUB-010")
change("working", "counted_call_changed_inputs", TMA, "evidence.functions.0.call", {"input_bytes_changed": 1, "strict": "pass"}, "R-SUB-010")
change("working", "counted_call_not_looked_at", TMA, "evidence.functions.0.call", None, "R-SUB-010")
change("working", "variables_in_code_without", TMA, "code.has_variables", True, "R-SUB-009")
change("working", "decoy_denied", f"artifact/replays/{RUN}/decoy.json", "evidence.decoy", False, "R-SUB-010")
change("working", "counts_not_of_the_code", TMA, "evidence.functions.0.at.0.0", 2497, "R-SUB-010")
change("working", "grade_without_counts", PLAIN, "evidence.evidence", "reported", "R-SUB-006", "R-SUB-010")
change("working", "another_origin", TMA, "candidate.origin", "a model", "R-SUB-009")


@way("working", "R-BND-001")
def cubin_left_out(directory):
    os.remove(f"{directory}/{CANDIDATES}/plain/kernel.sm_90a.cubin")


# ---- physics ----

@samples("faster_than_physics", "R-SUB-011", "R-SUB-007")
def _(rows, record):
    for row in rows:
        row["candidate_ns"] = row["candidate_ns"] * 5 // 10


@samples("one_sample_faster_than_physics", "R-SUB-011")
def _(rows, record):
    rows[100]["candidate_ns"] = 1000


@samples("clock_over_the_greatest", "R-SUB-012")
def _(rows, record):
    rows[200]["candidate_hz"] = 5 * 10**9


@samples("all_samples_equal", "R-SUB-014")
def _(rows, record):
    for row in rows:
        row["candidate_ns"] = 767040


@samples("few_different_samples", "R-SUB-044")
def _(rows, record):
    for i, row in enumerate(rows):
        row["candidate_ns"] = 767040 + 32 * (i % 8)


@samples("seed_twice", "R-SUB-015")
def _(rows, record):
    rows[5]["seed"] = rows[6]["seed"]


@samples("waited_less_than_it_took", "R-SUB-013")
def _(rows, record):
    rows[50]["candidate_wall_ns"] = 1


@samples("samples_of_another_record", "R-SUB-016")
def _(rows, record):
    other = lab.rows(lab.load(f"{sys.argv[2]}/artifact/replays/{FOREIGN}"))
    rows[3]["seed"] = other[3]["seed"]


def theirs(archive, change_it=lambda rows: None):
    """The record of the lab, as another run of the archive has it."""
    record = lab.load(f"w/{TMA}")
    record["run"] = "theirs"
    rows = lab.rows(record)
    change_it(rows)
    lab.put_rows(record, rows)
    lab.save(f"{archive}/artifact/replays/theirs/wgmma-tma.json", record)


def other_seeds(rows):
    for i, row in enumerate(rows):
        row["seed"] = str(10**18 + i)


@way("archive", "R-SUB-016")
def samples_of_the_archive_with_other_seeds(archive):
    theirs(archive, other_seeds)


@way("archive", "R-SUB-016")
def baseline_of_the_archive_in_another_order(archive):
    def change_it(rows):
        other_seeds(rows)
        for row in rows:
            row["candidate_ns"] += 32
        rows.reverse()
    theirs(archive, change_it)


def measured_but(kept):
    """Other seeds and times, and the rows turned around; but each row of which kept says so has its times still."""
    def change_it(rows):
        other_seeds(rows)
        for i, row in enumerate(rows):
            if not kept(i):
                for kind in ("candidate", "baseline"):
                    row[f"{kind}_ns"] += 32
                    row[f"{kind}_wall_ns"] += 41
        rows.reverse()
    return change_it


@way("archive", "R-SUB-016")
def one_call_in_ten_of_the_archive(archive):
    theirs(archive, measured_but(lambda i: i % 10 == 0))


@way("archive", "R-SUB-016")
def candidate_of_the_archive_nine_calls_in_ten_changed_and_the_baseline_in_all(archive):
    def change_it(rows):
        measured_but(lambda i: i % 10 == 0)(rows)
        for row in rows:
            row["baseline_wall_ns"] += 7
    theirs(archive, change_it)


@way("archive")
def one_call_in_forty_as_in_the_archive(archive):
    theirs(archive, measured_but(lambda i: i % 40 == 0))


@way("archive", "R-SUB-016")
def seeds_of_the_archive_in_the_last_column(archive):
    def change_it(rows):
        for row in rows:
            row["candidate_ns"] += 32
            row["baseline_ns"] += 32
    theirs(archive, change_it)
    record = lab.load(f"w1/{TMA}")
    timing = record["timing"]
    for name in ("samples", "control_samples"):
        timing[name] = [row[1:] + row[:1] for row in timing[name]]
    timing["columns"] = timing["columns"][1:] + timing["columns"][:1]
    lab.save(f"w1/{TMA}", record)


@way("working", "R-RPL-006")
def seed_with_a_zero_before_it(directory):
    record = lab.load(f"{directory}/{TMA}")
    record["timing"]["samples"][3][0] = "0" + record["timing"]["samples"][3][0]
    lab.save(f"{directory}/{TMA}", record)


@way("working", "R-RPL-006")
def no_column_of_seeds(directory):
    record = lab.load(f"{directory}/{TMA}")
    timing = record["timing"]
    for name in ("samples", "control_samples"):
        timing[name] = [row[1:] for row in timing[name]]
    timing["columns"] = timing["columns"][1:]
    lab.save(f"{directory}/{TMA}", record)


FOREIGN = next(f"{run}/plain.json" for run in sorted(os.listdir(f"{sys.argv[2]}/artifact/replays")) if run.endswith("mha_bwd_d128")) \
    if len(sys.argv) > 2 else ""

change("working", "trial_seed_twice", TMA, "trials.1.seed", "1", "R-SUB-015")
change("working", "hot", TMA, "state.after.temperature_c", 400, "R-SUB-012")
change("working", "power_without_limit", TMA, "state.during.0.power_mw", 5000000, "R-SUB-012")
change("working", "memory_clock", TMA, "state.before.memory_clock_mhz", 9000, "R-SUB-012")
change("working", "counter_runs_back", TMA, "state.after.power_violation_ns", 1, "R-SUB-013")
change("working", "took_less_than_its_parts", TMA, "took.all_ms", 10, "R-SUB-013")
change("working", "timed_longer_than_it_took", TMA, "timing.elapsed_ms", 9999999, "R-SUB-013")
change("working", "timed_shorter_than_its_calls", TMA, "timing.elapsed_ms", 1, "R-SUB-013")
change("working", "date_to_come", TMA, "date", "2999-12-31", "R-SUB-013")
change("working", "date_of_another_day", TMA, "date", "2001-01-01", "R-SUB-013")
change("working", "no_multiprocessor", TMA, "device.sms", 0, "R-SUB-012", "R-SUB-007", "R-SUB-045")
change("working", "other_multiprocessors", TMA, "device.sms", 200, "R-SUB-007", "R-SUB-045")
change("working", "sandbox_open", TMA, "worker.sandbox.seccomp", "refused", "R-SUB-047")
change("working", "suspect", TMA, "timing.suspect", ["over 10 % faster than the vendor's library"], "R-SUB-042")


# ---- candidates ----

def respell(text):
    """The same kernel: other names, comments and white space."""
    return "// another\n" + text.replace("%r", "%q").replace("%rd", "%qd").replace(";", " ; /* here */").replace("\t", "  ")


@way("archive", "R-SUB-017")
def kernel_of_the_archive(archive):
    """Under another name there, with other names in it."""
    theirs = f"{archive}/{CANDIDATES}/theirs"
    os.makedirs(theirs)
    with open(f"{theirs}/kernel.ptx", "w", encoding="utf-8") as file:
        file.write(respell(open(f"w/{CANDIDATES}/plain/kernel.ptx", encoding="utf-8").read()))


@way("archive", "R-SUB-017")
def cubin_of_the_archive(archive):
    os.makedirs(f"{archive}/{CANDIDATES}/theirs")
    shutil.copyfile(f"w/{CANDIDATES}/plain/kernel.sm_90a.cubin", f"{archive}/{CANDIDATES}/theirs/kernel.sm_90a.cubin")


@way("archive", "R-SUB-017")
def kernel_of_the_archive_in_a_file_of_another_name(archive):
    os.makedirs(f"{archive}/{CANDIDATES}/theirs")
    with open(f"{archive}/{CANDIDATES}/theirs/kernel.txt", "w", encoding="utf-8") as file:
        file.write(respell(open(f"w/{CANDIDATES}/plain/kernel.ptx", encoding="utf-8").read()))


def their_cubin(archive, change_it):
    data = bytearray(open(f"w/{CANDIDATES}/plain/kernel.sm_90a.cubin", "rb").read())
    change_it(data)
    os.makedirs(f"{archive}/{CANDIDATES}/theirs")
    open(f"{archive}/{CANDIDATES}/theirs/kernel.bin", "wb").write(data)


@way("archive", "R-SUB-017")
def cubin_of_the_archive_and_a_byte(archive):
    their_cubin(archive, lambda data: data.append(0))


@way("archive", "R-SUB-017")
def cubin_of_the_archive_with_another_header(archive):
    def change_it(data):
        data[15] ^= 1
    their_cubin(archive, change_it)


@way("archive", "R-ADM-003", "R-SUB-017")
def name_of_the_archive(archive):
    """A candidate of that name is there, and is another; its kernel is the submission's tvm-ffi too."""
    shutil.copytree(f"w/{CANDIDATES}/plain", f"{archive}/{CANDIDATES}/plain")
    with open(f"{archive}/{CANDIDATES}/plain/candidate.json", "a", encoding="utf-8") as file:
        file.write("\n")


@way("sealed", "R-STM-004", "R-SUB-009", "R-SUB-046")
def one_kernel_twice(directory):
    with open(f"{directory}/{CANDIDATES}/commit-only/kernel.ptx", "w", encoding="utf-8") as file:
        file.write(respell(open(f"{directory}/{CANDIDATES}/plain/kernel.ptx", encoding="utf-8").read()))


# ---- responses ----

def put_object(directory, text):
    name = hashlib.sha256(text.encode()).hexdigest()
    path = f"{directory}/artifact/objects/sha256/{name[:2]}/{name}"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return name


def respond(directory, turns, answer):
    """The turns name what answer(turn) gives as their response, and the same prompt."""
    lines = []
    for line in open(f"{directory}/{turns}", encoding="utf-8"):
        turn = json.loads(line)
        turn.update(prompt=put_object(directory, "Write a kernel.\n"), feedback=None, response=put_object(directory, answer(turn)))
        lines.append(lab.canonical(turn))
    with open(f"{directory}/{turns}", "w", encoding="utf-8") as file:
        file.writelines(lines)


def source_of(directory, turn):
    """The source of the candidate of the turn's record, and what its block is called."""
    folder = f"{directory}/artifact/replays/{RUN}"
    record = next(one for one in (lab.load(f"{folder}/{name}") for name in os.listdir(folder)) if one["trajectory"] == turn["trajectory"])
    candidate = f"{directory}/{record['candidate']['directory']}"
    name = "kernel.cu" if os.path.exists(f"{candidate}/kernel.cu") else "kernel.ptx"
    with open(f"{candidate}/{name}", encoding="utf-8", newline="") as file:
        return file.read(), {"kernel.cu": "cuda", "kernel.ptx": "ptx"}[name]


def fenced(text, kind):
    return f"Trajectory by trajectory:\n\n```{kind}\n{text}```\n"


def responses(name, *rules):
    """answer(turn, source, kind): the response of every turn."""
    def add(function):
        def wrapped(directory):
            respond(directory, TURNS, lambda turn: f"Trajectory {turn['trajectory']}.\n" + function(turn, *source_of(directory, turn)))
        wrapped.__name__ = name
        way("working", *rules)(wrapped)
        return function
    return add


@responses("response_of_its_own")
def _(turn, source, kind):
    return fenced(".version 1.0\n", kind) + fenced(source, kind)


@responses("response_with_other_line_ends")
def _(turn, source, kind):
    return fenced(source, kind).replace("\n", "\r\n")


@responses("response_without_block", "R-SUB-048")
def _(turn, source, kind):
    return source


@responses("response_with_a_later_block", "R-SUB-048")
def _(turn, source, kind):
    return fenced(source, kind) + fenced(source + "// faster\n", kind)


@responses("response_with_another_byte", "R-SUB-021")
def _(turn, source, kind):
    return fenced(source[:100] + "_" + source[100:], kind)


@responses("response_that_is_empty", "R-SUB-021")
def _(turn, source, kind):
    return ""


@way("raw", "R-BND-001", "R-SUB-021")
def response_taken_out(directory):
    """Every object of it."""
    shutil.rmtree(f"{directory}/artifact/objects")


response_taken_out.prepare = lambda directory: respond(directory, TURNS, lambda turn: fenced(*source_of(directory, turn)))


@way("working", "R-SUB-017")
def response_of_the_archive(directory):
    """A run of the archive has it, and is another's."""
    turns = "a/artifact/runs/glm52-gemm/turns.jsonl"
    KEPT[turns] = open(turns, encoding="utf-8").read()
    respond(directory, TURNS, lambda turn: fenced(*source_of(directory, turn)))
    theirs = json.loads(KEPT[turns].splitlines()[0])
    mine = json.loads(open(f"{directory}/{TURNS}", encoding="utf-8").readline())
    theirs.update(prompt=mine["prompt"], feedback=None, response=mine["response"])
    with open(turns, "w", encoding="utf-8") as file:
        file.write(lab.canonical(theirs) + KEPT[turns].split("\n", 1)[1])


KEPT = {}  # files of the archive that a way has changed, as they were


@way("working", "R-SUB-020", "R-BND-006")
def no_run(directory):
    shutil.rmtree(f"{directory}/artifact/runs/{RUN}")
    shutil.rmtree(f"{directory}/artifact/replays/{RUN}")


@way("raw", "R-BND-003", "R-SUB-009")
def byte_of_a_cubin(directory):
    path = f"{directory}/{CANDIDATES}/plain/kernel.sm_90a.cubin"
    data = bytearray(open(path, "rb").read())
    data[-1] ^= 1
    open(path, "wb").write(data)


@way("raw", "R-BND-001", "R-STM-005", "R-STM-006", "R-SUB-006", "R-SUB-018")
def record_taken_out(directory):
    os.remove(f"{directory}/{PLAIN}")


@way("raw", "R-SIG-006")
def signature_of_another(directory):
    open(f"{directory}/checksums/SHA256SUMS.sig", "wb").write(bytes(64))


@way("raw", "R-BND-001", "R-BND-007")
def manifest_taken_out(directory):
    os.remove(f"{directory}/manifests/{RUN}.dsse.json")


@way("raw", "R-SUB-020", "R-PCK-011")
def packed_without_parts(directory):
    open(f"{directory}/checksums/left-out.txt", "w", encoding="utf-8").write("# level: figures\n")


def tell(command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def try_way(ptxseal, stage, function):
    for directory in ("w1", "s1"):
        shutil.rmtree(directory, ignore_errors=True)
    for added in (CANDIDATES, "artifact/replays/theirs", "manifests/submissions"):
        shutil.rmtree(f"a/{added}", ignore_errors=True)
    if os.path.exists("trust.json"):
        shutil.copyfile("trust.json", "a/manifests/trust.json")
    else:
        shutil.copyfile("a/manifests/trust.json", "trust.json")
    shutil.copytree("w", "w1")
    if hasattr(function, "prepare"):
        function.prepare("w1")
    if stage == "archive":
        function("a")
    facts = "facts.json"
    if stage in ("facts", "working"):
        function("w1")
        facts = "w1/facts.json" if os.path.exists("w1/facts.json") else facts
        if facts != "facts.json":
            os.rename("w1/facts.json", "facts1.json")
            facts = "facts1.json"
    made = tell([ptxseal, "submit", "--facts", facts, "--key", "lab.key", "--into", "s1", "w1"])
    if made.returncode != 0:
        words = (made.stdout + made.stderr).replace("(", " ").replace(":", " ").split()
        return {word for word in words if word.startswith("R-")}
    if stage in ("sealed", "raw"):
        function("s1")
    if stage == "sealed":
        tell([ptxseal, "seal", "--role", "root", "--key", "lab.key", "--name", "submitter", "s1"])
    told = tell([ptxseal, "admit", "--check", "--json", "--into", "a", "s1"])
    while KEPT:
        path, text = KEPT.popitem()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    report = json.loads(told.stdout)
    rules = {finding["rule"] for finding in report["findings"] if finding.get("severity") != "INFO"}
    if sum(report["severities"].values()) != len(report["findings"]) or sum(report["counts"].values()) != len(report["findings"]):
        rules.add("counts do not add up")
    if (report["verdict"] == "admissible") != (report["severities"]["ERROR"] == 0) or (told.returncode == 0) != (report["verdict"] == "admissible"):
        rules.add("the verdict is not that of the counts")
    return rules


def main():
    ptxseal, part, parts = sys.argv[1], 0, 1
    if len(sys.argv) > 3:
        part, parts = (int(number) for number in sys.argv[3].split("/"))
    mine = [one for i, one in enumerate(ALL) if i % parts == part]
    unbroken = try_way(ptxseal, "working", lambda directory: None)
    if unbroken != {"R-SUB-046"}:  # a kernel.cu of ours is lowered to the kernel that stands there as PTX
        print(f"of the submission that is not broken: {' '.join(sorted(unbroken))}")
    for name, stage, rules, function in mine:
        told = try_way(ptxseal, stage, function) - (unbroken - rules)
        if told != rules:
            print(f"{name}: told by {' '.join(sorted(told)) or 'nothing'}, and should be by {' '.join(sorted(rules)) or 'nothing'}")
    print("tried" if len(mine) >= 15 else "too few were tried")


if __name__ == "__main__":
    main()
