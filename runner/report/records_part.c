/* The records themselves: every turn of every run, every file that a cell rests on with its SHA-256, and the manifests that vouch for them. */
#include <stdlib.h>
#include <string.h>

#include "../bundle/admitted.h"
#include "../bundle/layout.h"
#include "../derive/explanation.h"
#include "html.h"
#include "page.h"
#include "parts.h"

enum { SPAN_MAX = 1000 };

/* Manifests, by number from 0; the first is the root manifest. */
struct vouchers {
	struct pool paths;
	struct manifest *manifests; /* from 1 */
	size_t *of_run;             /* index in paths */
};

/* Each manifest is read once, by the first run that stands under it. */
static void vouchers_make(const struct report *report, struct vouchers *vouchers)
{
	const struct trail *trail = report->trail;

	*vouchers = (struct vouchers){.of_run = mem_alloc((trail->runs.count + 1) * sizeof *vouchers->of_run)};
	pool_add(&vouchers->paths, LAYOUT_ROOT_MANIFEST);
	for (size_t i = 0; i < trail->runs.count; i++) {
		const char *name = trail_run(trail, i, RUN_NAME);
		const char *source = trail_run(trail, i, RUN_SOURCE);
		char *path = manifest_of_run(report->bundle, name, source);
		const size_t before = vouchers->paths.count;

		vouchers->of_run[i] = pool_add(&vouchers->paths, path);
		if (vouchers->paths.count > before) {
			vouchers->manifests = mem_array(vouchers->manifests, vouchers->paths.count, sizeof *vouchers->manifests);
			manifest_read(report->bundle, report->sealed, name, source, &vouchers->manifests[before]);
		}
		free(path);
	}
}

static void vouchers_free(struct vouchers *vouchers)
{
	for (size_t i = 1; i < vouchers->paths.count; i++)
		manifest_free(&vouchers->manifests[i]);
	free(vouchers->manifests);
	free(vouchers->of_run);
	pool_free(&vouchers->paths);
}

/* ---- runs ---- */

/* What a run's name hides, where it says something. */
static void put_fact(const char *name, const char *value, struct bytes *out)
{
	if (value[0] != '\0' && strcmp(value, "unsaid") != 0)
		html_put(out, "; %s %s", name, value);
}

static void put_about(const struct trail *trail, size_t run, const struct vouchers *vouchers, struct bytes *out)
{
	html_put(out, "<p id=r%zu>%s, %s; task <b>%s</b>, workload %s", run, trail_run(trail, run, RUN_MODEL), trail_run(trail, run, RUN_ARCH), trail_run(trail, run, RUN_TASK),
	         trail_run(trail, run, RUN_WORKLOAD_NAME));
	put_fact("date", trail_run(trail, run, RUN_DATE), out);
	put_fact("checklist", trail_run(trail, run, RUN_CHECKLIST), out);
	put_fact("retrieval", trail_run(trail, run, RUN_RETRIEVAL), out);
	put_fact("variant", trail_run(trail, run, RUN_VARIANT), out);
	put_fact("target instructions’ letter", trail_run(trail, run, RUN_REQUIRED_TAG), out);
	html_put(out, ". Planned: %s trajectories of %s turns.\n<p>Source %s, vouched for by <a href=#m%zu>%s</a>; files: <a href=#f%zu>run.json</a>, <a href=#f%zu>turns.jsonl</a>\n",
	         trail_run(trail, run, RUN_PLANNED_TRAJECTORIES), trail_run(trail, run, RUN_PLANNED_TURNS), trail_run(trail, run, RUN_SOURCE), vouchers->of_run[run],
	         vouchers->paths.at[vouchers->of_run[run]], 2 * run, 2 * run + 1);
}

/* Numbers of lines, what follows at once as a range; 0 is none. */
static void put_lines(const struct lineage_turn *turns, size_t count, bool source, struct bytes *out)
{
	const char *before = "";

	for (size_t i = 0, end; i < count; i = end) {
		const int64_t first = source ? turns[i].source_line : turns[i].line;
		int64_t last = first;

		for (end = i + 1; end < count && (source ? turns[end].source_line : turns[end].line) == last + 1 && first != 0; end++)
			last++;
		if (first == 0)
			continue;
		bytes_format(out, last > first ? "%s%lld–%lld" : "%s%lld", before, (long long)first, (long long)last);
		before = ", ";
	}
}

static void put_turn(const struct lineage_turn *turn, struct bytes *out)
{
	bool correct = strcmp(turn->outcome, "Correct") == 0 || strcmp(turn->outcome, "correct") == 0;

	bytes_format(out, "<td id=t%lld%s>", (long long)turn->turn_id, correct ? " class=k" : "");
	html_text(turn->outcome, strlen(turn->outcome), HTML_TEXT_MAX, HTML_ELEMENT, out);
	if (turn->speedup != NULL)
		html_put(out, " <b>%s</b>", turn->speedup);
	if (turn->arch_tag[0] != '\0')
		html_put(out, " <i>%s</i>", turn->arch_tag);
}

/* In place of turns that a trajectory has not: one may have thousands where the next has one. HTML lets a cell span 1000 columns. */
static void put_padding(int64_t columns, struct bytes *out)
{
	for (; columns > 1; columns -= SPAN_MAX)
		bytes_format(out, "<td colspan=%lld>", (long long)(columns < SPAN_MAX ? columns : SPAN_MAX));
	if (columns == 1)
		bytes_text(out, "<td>");
}

/* A row a trajectory, a column a turn. */
static void put_turns(const struct trail *trail, size_t run, size_t first, size_t end, struct bytes *out)
{
	int64_t most = 0;

	for (size_t i = first; i < end; i++)
		most = trail->turns[i].turn > most ? trail->turns[i].turn : most;
	page_scroll(trail_run(trail, run, RUN_NAME), out);
	bytes_text(out, "<table class=turns><thead><tr><th scope=col>trajectory");
	for (int64_t i = 0; i <= most; i++)
		bytes_format(out, "<th scope=col>turn %lld", (long long)i);
	bytes_text(out, "<th scope=col>lines<th scope=col>source lines</thead>\n<tbody>");
	for (size_t i = first, stop; i < end; i = stop) {
		const struct lineage_turn *turn = &trail->turns[i];

		bytes_format(out, "<tr><th scope=row>%lld", (long long)turn->trajectory);
		for (stop = i; stop < end && trail->turns[stop].trajectory == turn->trajectory; stop++)
			put_turn(&trail->turns[stop], out);
		put_padding(most + 1 - (int64_t)(stop - i), out);
		bytes_text(out, "<td>");
		put_lines(turn, stop - i, false, out);
		bytes_text(out, "<td>");
		put_lines(turn, stop - i, true, out);
		bytes_char(out, '\n');
	}
	bytes_text(out, "</table></div>\n");
}

static void put_runs(const struct report *report, const struct vouchers *vouchers, struct bytes *out)
{
	const struct trail *trail = report->trail;
	const char *source = "";

	bytes_text(out, "<h3 id=turns>Turns, run by run</h3>\n<p>A cell is a turn: what became of it, its speedup (the library’s time / the candidate’s) and the letters of the architectures whose "
	                "instructions stand in its PTX text. Lines are those of the run’s turns.jsonl; source lines those of the file of the source that has a row a turn.\n");
	for (size_t run = 0, at = 0, end; run < trail->runs.count; run++, at = end) {
		for (end = at; end < trail->turn_count && trail->turns[end].run_id == (int64_t)run + 1; end++)
			;
		if (strcmp(source, trail_run(trail, run, RUN_SOURCE)) != 0) {
			source = trail_run(trail, run, RUN_SOURCE);
			char *file = source_turn_file(report->bundle, source);

			html_put(out, "<h4>Source %s</h4>\n", source);
			if (file != NULL)
				html_put(out, "<p>Source lines count in its %s.\n", file);
			free(file);
		}
		html_put(out, "<details class=run><summary><b>%s</b> <span>%s, %s, %s; %zu %s</span> ", trail_run(trail, run, RUN_NAME), trail_run(trail, run, RUN_MODEL), trail_run(trail, run, RUN_ARCH),
		         trail_run(trail, run, RUN_TASK), end - at, end - at == 1 ? "turn" : "turns");
		page_grade(trail_run(trail, run, RUN_EVIDENCE), out);
		bytes_text(out, "</summary>\n");
		put_about(trail, run, vouchers, out);
		if (end > at)
			put_turns(trail, run, at, end, out);
		bytes_text(out, "</details>\n");
	}
}

/* ---- groups ---- */

static void put_group(const struct trail *trail, const char *members, struct bytes *out)
{
	while (*members != '\0') {
		char *rest;
		const char kind = *members;
		const size_t number = strtoul(members + 1, &rest, 10);

		html_put(out, kind == 'r' ? "<a href=#r%zu>%s</a>\n" : "<a href=#f%zu>%s</a>\n", number,
		         kind == 'r' ? trail_run(trail, number, RUN_NAME) : trail->files.at[number]);
		members = *rest == ' ' ? rest + 1 : rest;
	}
}

/* Those of several members: a row that rests on one run or file leads to it. */
static void put_groups(const struct trail *trail, struct bytes *out)
{
	size_t shown = 0;

	for (size_t i = 0; i < trail->groups.count; i++) {
		if (strchr(trail->groups.at[i], ' ') == NULL)
			continue;
		if (shown++ == 0)
			bytes_text(out, "<h3 id=groups>What rows of tables rest on</h3>\n<details class=groups><summary>Runs and files behind rows that rest on several</summary>\n");
		html_put(out, "<p id=g%zu>", i);
		put_group(trail, trail->groups.at[i], out);
	}
	if (shown > 0)
		bytes_text(out, "</details>\n");
}

/* ---- files ---- */

/* What verifying found of the file, if anything. */
static const struct finding *finding_of(const struct standing *standing, const char *path)
{
	for (size_t i = 0; i < standing->verified.findings.count; i++)
		if (strcmp(standing->verified.findings.at[i].file, path) == 0)
			return &standing->verified.findings.at[i];
	return NULL;
}

static void put_file(const struct report *report, const struct vouchers *vouchers, size_t index, struct bytes *out)
{
	const struct trail *trail = report->trail;
	const struct checksum *sum = checksums_find(&report->sealed->sums, trail->files.at[index]);
	const struct finding *finding = finding_of(report->standing, trail->files.at[index]);
	const size_t manifest = index < 2 * trail->runs.count ? vouchers->of_run[index / 2] : 0;
	char hex[SHA256_HEX + 1] = "not listed in " LAYOUT_SUMS;

	if (sum != NULL)
		sha256_hex(&sum->hash, hex);
	html_put(out, "<tr id=f%zu><th scope=row>%s<td><code class=hash>%s</code><td>", index, trail->files.at[index], hex);
	if (finding != NULL)
		html_put(out, "NOT AS SEALED: %s (%s)\n", finding->what, rule_info(finding->rule)->id);
	else if (report->standing->integrity != OK)
		bytes_text(out, "nobody: the bundle does not verify\n");
	else
		html_put(out, "<a href=#m%zu>%s</a>\n", manifest, vouchers->paths.at[manifest]);
}

static void put_files(const struct report *report, const struct vouchers *vouchers, struct bytes *out)
{
	bytes_text(out, "<h3 id=files>Files</h3>\n<details class=files><summary>Every file that a cell rests on, its SHA-256, and what vouches for it</summary>\n<p>Each can be checked with "
	                "<code>sha256sum -c " LAYOUT_SUMS "</code>.\n");
	page_scroll("Files", out);
	bytes_text(out, "<table class=\"cards files\"><thead><tr><th scope=col>file<th scope=col>SHA-256<th scope=col>vouched for by</thead>\n<tbody>");
	for (size_t i = 0; i < report->trail->files.count; i++)
		put_file(report, vouchers, i, out);
	bytes_text(out, "</table></div></details>\n");
}

/* ---- manifests ---- */

static void put_signer(const struct trusted_key *key, struct bytes *out)
{
	html_put(out, "<li>%s (%s), key <code class=hash>%s</code>\n", key->purpose, key->file, key->fingerprint);
}

static void put_manifest(const struct report *report, const struct vouchers *vouchers, size_t index, struct bytes *out)
{
	const struct standing *standing = report->standing;
	const struct manifest *manifest = index > 0 ? &vouchers->manifests[index] : NULL;
	const struct signers *signers = index > 0 ? &manifest->signers : &standing->verified.root_signers;
	const bool believed = standing->integrity == OK && (index == 0 || manifest->believed);
	char hex[SHA256_HEX + 1];

	html_put(out, "<tr id=m%zu><th scope=row>%s<td data-l=\"vouches for\">%s<td data-l=\"signed by\">", index, vouchers->paths.at[index],
	         index == 0 ? "every file of the bundle, through " LAYOUT_SUMS : "runs and what belongs to them");
	if (believed) {
		bytes_text(out, "<ul>");
		for (size_t i = 0; i < signers->count; i++)
			put_signer(signers->at[i], out);
		bytes_text(out, "</ul>");
	} else {
		html_put(out, "nobody: %s", standing->integrity != OK ? "the bundle does not verify" : manifest->path == NULL ? "there is no such manifest" : manifest->why_not);
	}
	if (index == 0 || manifest->path == NULL) {
		bytes_text(out, "<td>\n");
		return;
	}
	sha256_hex(&manifest->hash, hex);
	html_put(out, "<td data-l=\"its SHA-256\"><code class=hash>%s</code>\n", hex);
}

static void put_manifests(const struct report *report, const struct vouchers *vouchers, struct bytes *out)
{
	bytes_text(out, "<h3 id=manifests>Manifests</h3>\n");
	page_scroll("Manifests", out);
	bytes_text(out, "<table class=\"cards manifests\"><thead><tr><th scope=col>manifest<th scope=col>vouches for<th scope=col>signed by<th scope=col>its SHA-256</thead>\n<tbody>");
	for (size_t i = 0; i < vouchers->paths.count; i++)
		put_manifest(report, vouchers, i, out);
	bytes_text(out, "</table></div>\n");
}

enum status records_part(struct report *report, void *state, struct bytes *out, struct error *err)
{
	struct vouchers vouchers;

	(void)state;
	(void)err;
	if (report->trail == NULL)
		return OK;
	vouchers_make(report, &vouchers);
	put_manifests(report, &vouchers, out);
	put_groups(report->trail, out);
	put_runs(report, &vouchers, out);
	put_files(report, &vouchers, out);
	vouchers_free(&vouchers);
	return OK;
}
