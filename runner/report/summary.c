/* The first screen: what was checked, what holds, who signed it, and what none of it can show. */
#include <stdlib.h>
#include <string.h>

#include "../base/progress.h"
#include "../bundle/layout.h"
#include "../bundle/leftout.h"
#include "../derive/rows.h"
#include "glance.h"
#include "html.h"
#include "page.h"
#include "parts.h"

enum { FINDINGS_SHOWN = 200, SOURCES_SHOWN = 3 };

/* ---- what is in the bundle ---- */

/* Runs of one source that have the same grade of evidence stand together in the ledger's order. */
static size_t put_content_of(const struct trail *trail, size_t first, const size_t *turns, struct bytes *out)
{
	struct pool models = {0}, tasks = {0};
	size_t end = first, answers = 0;

	for (; end < trail->runs.count && strcmp(trail_run(trail, end, RUN_SOURCE), trail_run(trail, first, RUN_SOURCE)) == 0 &&
	       strcmp(trail_run(trail, end, RUN_EVIDENCE), trail_run(trail, first, RUN_EVIDENCE)) == 0;
	     end++) {
		pool_add(&models, trail_run(trail, end, RUN_MODEL));
		pool_add(&tasks, trail_run(trail, end, RUN_TASK));
		answers += turns[end];
	}
	html_put(out, " <b>%zu %s</b> of ", answers, answers == 1 ? "turn" : "turns");
	if (models.count == 1)
		html_put(out, "%s", models.at[0]);
	else
		html_put(out, "%zu models", models.count);
	html_put(out, " on %zu %s, ", tasks.count, tasks.count == 1 ? "task" : "tasks");
	page_grade(trail_run(trail, first, RUN_EVIDENCE), out);
	html_put(out, ", from the source %s.", trail_run(trail, first, RUN_SOURCE));
	pool_free(&models);
	pool_free(&tasks);
	return end;
}

static void put_content(const struct trail *trail, struct bytes *out)
{
	size_t *turns = mem_alloc((trail->runs.count + 1) * sizeof *turns);
	size_t shown = 0, run = 0;

	for (size_t i = 0; i <= trail->runs.count; i++)
		turns[i] = 0;
	for (size_t i = 0; i < trail->turn_count; i++)
		turns[trail->turns[i].run_id - 1]++;
	bytes_text(out, "<p class=lede>Answers to the task of writing a kernel for a GPU, and what became of each: a turn is one answer and its evaluation.");
	for (; run < trail->runs.count && shown < SOURCES_SHOWN; shown++)
		run = put_content_of(trail, run, turns, out);
	if (run < trail->runs.count)
		html_put(out, " Of more sources, below: <a href=\"#turns\">%zu %s</a>.", trail->runs.count - run, trail->runs.count - run == 1 ? "run" : "runs");
	bytes_char(out, '\n');
	free(turns);
}

/* ---- what holds ---- */

static void put_verdict(const struct standing *standing, struct bytes *out)
{
	bytes_format(out, "<p class=\"banner %s\">", standing_holds(standing) ? "good" : "bad");
	page_verdict(standing_holds(standing) ? "HOLDS" : "DOES NOT HOLD", out);
	if (standing_holds(standing)) {
		bytes_text(out, " The bundle is the one that was signed, its tables follow from its records, and every difference and every claim is as the artifact says.\n");
		return;
	}
	if (standing->integrity != OK)
		bytes_text(out, " The bundle is not, byte for byte, one that was signed: nobody vouches for what is below.");
	if (standing->derived != OK)
		bytes_text(out, " The tables could not be derived.");
	if (standing->check.total.unknown > 0 || standing->check.vanished > 0)
		bytes_text(out, " The tables do not compare with the published ones as listed.");
	if (standing->check.incomplete.count > 0)
		bytes_text(out, " Records, published cells, tables or claims are missing.");
	if (standing->derived == OK && !standing_decides(standing))
		bytes_text(out, " A claim is decided otherwise than expected.");
	bytes_char(out, '\n');
}

static void put_rung(int rung, const char *name, const char *command, const char *verdict, struct bytes *out)
{
	html_put(out, "<tr><td>%d<th scope=row>%s<td><code>%s</code><td>", rung, name, command);
	page_verdict(verdict, out);
	bytes_text(out, "<td>");
}

static void put_integrity(const struct standing *standing, struct bytes *out)
{
	const struct verify_report *verified = &standing->verified;
	char amount[32];

	progress_amount(verified->bytes, true, amount, sizeof amount);
	put_rung(1, "integrity", "ptxseal verify", standing->integrity == OK ? "HOLDS" : "DOES NOT HOLD", out);
	html_put(out, "%llu files, %s", (unsigned long long)verified->files, amount);
	if (standing->integrity == OK)
		bytes_text(out, ": every byte is the one that was signed, nothing is missing, nothing is extra");
	else
		html_put(out, ": <a href=\"#findings\">%zu %s</a>", verified->findings.count, verified->findings.count == 1 ? "finding" : "findings");
	if (verified->left_out > 0)
		html_put(out, ". Left out at level %s and not looked at: %llu sealed files, listed in " LAYOUT_LEFT_OUT, level_name(verified->level),
		         (unsigned long long)verified->left_out);
	bytes_char(out, '\n');
}

static void put_derivation(const struct standing *standing, struct bytes *out)
{
	const struct table_totals *total = &standing->check.total;
	size_t claims = standing->derivation.catalogue.claim_count;
	size_t expected = 0;

	put_rung(2, "derivation", "ptxseal derive --check", standing_derives(standing) && standing_decides(standing) ? "HOLDS" : "DOES NOT HOLD", out);
	if (standing->derived != OK) {
		bytes_text(out, "it could not be done: see <a href=\"#findings\">why</a>\n");
		return;
	}
	for (size_t i = 0; i < claims; i++)
		expected += standing->decisions[i].as_expected ? 1 : 0;
	html_put(out, "%zu %s; published cells %zu = %zu SAME + %zu DIFFERS + %zu NOT DERIVABLE", standing->derivation.catalogue.table_count,
	         standing->derivation.catalogue.table_count == 1 ? "table" : "tables", total->published, total->same, total->differs, total->not_derivable);
	html_put(out, ", of these differences %zu with a listed reason and %zu unknown; %zu of %zu claims decided as expected\n", total->known, total->unknown,
	         expected, claims);
}

/* What the bundle holds for the rungs that were not climbed here; nothing where it cannot be asked. */
static struct measured_count measured(const struct standing *standing)
{
	struct measured_count count = {0};
	struct rows rows;

	if (standing->derived != OK)
		return count;
	if (rows_read(standing->derivation.db, "SELECT outcome FROM replay", LAYOUT_REPLAYS, &rows, NULL) == OK) {
		count.records = rows.count;
		for (size_t i = 0; i < rows.count; i++)
			count.correct += strcmp(rows_cell(&rows, i, 0), "correct") == 0;
	}
	rows_free(&rows);
	return count;
}

static void put_ladder(const struct standing *standing, const struct measured_count *count, struct bytes *out)
{
	bytes_text(out, "<h3>How far up the ladder</h3>\n");
	page_table("cards ladder", "Each rung rests on those above it in this list. Rungs 3 to 5 need more than the bundle", out);
	bytes_text(out, "<thead><tr><th scope=col>rung<th scope=col>name<th scope=col>command<th scope=col>verdict"
	                "<th scope=col>what was looked at</thead>\n<tbody>");
	put_integrity(standing, out);
	put_derivation(standing, out);
	put_rung(3, "rebuild", "ptxseal rebuild", "NOT LOOKED AT", out);
	bytes_text(out, "needs the CUDA toolkit, no GPU\n");
	put_rung(4, "replay", "ptxseal replay", "NOT LOOKED AT", out);
	html_put(out, "needs a GPU; the bundle has the records of %llu earlier measurements, none of which was repeated here\n", count->records);
	put_rung(5, "fresh", "ptxseal query", "NOT LOOKED AT", out);
	bytes_text(out, "needs a model’s endpoint</table></div>\n");
}

static void put_findings(const struct standing *standing, struct bytes *out)
{
	const struct findings *lists[] = {&standing->verified.findings, &standing->check.incomplete};
	size_t count = lists[0]->count + lists[1]->count;
	size_t shown = 0;

	if (count == 0 && standing->derived == OK)
		return;
	bytes_text(out, "<h3 id=findings>What was found</h3>\n<ul class=findings>\n");
	if (standing->derived != OK) {
		html_put(out, "<li>%s", standing->why.file);
		if (standing->why.line > 0)
			html_put(out, ", line %llu", (unsigned long long)standing->why.line);
		html_put(out, ": %s (%s: %s); %s\n", standing->why.what, rule_info(standing->why.rule)->id, rule_info(standing->why.rule)->text,
		         rule_info(standing->why.rule)->remedy);
	}
	for (size_t l = 0; l < 2; l++)
		for (size_t i = 0; i < lists[l]->count && shown < FINDINGS_SHOWN; i++, shown++) {
			const struct finding *finding = &lists[l]->at[i];
			const struct rule_info *rule = rule_info(finding->rule);

			html_put(out, "<li>%s", finding->file);
			if (finding->line > 0)
				html_put(out, ", line %llu", (unsigned long long)finding->line);
			html_put(out, "%s%s: %s <span class=rule>(%s: %s; %s)</span>\n", finding->field != NULL ? ", " : "", finding->field, finding->what, rule->id,
			         rule->text, rule->remedy);
		}
	bytes_text(out, "</ul>\n");
	if (shown < count)
		html_put(out, "<p>%zu more: <code>ptxseal verify</code> and <code>ptxseal derive --check</code> list all.\n", count - shown);
}

static void put_words(const struct words *words, struct bytes *out)
{
	for (size_t i = 0; i < words->count; i++)
		html_put(out, "%s%s", i == 0 ? "" : ", ", words->at[i]);
}

static bool sealed_by(const struct verify_report *verified, const char *fingerprint)
{
	for (size_t i = 0; i < verified->root_signers.count; i++)
		if (strcmp(verified->root_signers.at[i]->fingerprint, fingerprint) == 0)
			return true;
	return false;
}

static void put_key(const struct standing *standing, const struct trusted_key *key, struct bytes *out)
{
	html_put(out, "<tr><th scope=row>%s<td data-l=\"may sign as\">", key->file);
	put_words(&key->roles, out);
	html_put(out, "<td>%s<td>", key->purpose);
	if (standing->integrity == OK && sealed_by(&standing->verified, key->fingerprint))
		bytes_text(out, "sealed this bundle");
	if (key->revoked != NULL)
		html_put(out, " REVOKED: %s", key->revoked);
	if (key->until != NULL)
		html_put(out, " until %s", key->until);
	html_put(out, "<td><code class=hash>%s</code>\n", key->fingerprint);
}

static void put_signers(const struct standing *standing, struct bytes *out)
{
	const struct verify_report *verified = &standing->verified;

	bytes_text(out, "<h3 id=signed>Signed by whom</h3>\n<p>");
	if (standing->integrity != OK)
		bytes_text(out, "The bundle does not verify, so none of these keys vouches for it as it is.\n");
	else if (standing->pinned != NULL)
		bytes_text(out, "Sealed by the key that the reader named.\n");
	else
		bytes_text(out, "Trust rests on the keys inside the bundle: compare the fingerprint of the key that sealed it with the one published elsewhere, or name it with "
		                "<code>--fingerprint</code>.\n");
	if (verified->trust.count > 0) {
		page_table("cards keys", "Keys that the bundle’s manifests/trust.json names", out);
		bytes_text(out, "<thead><tr><th scope=col>key"
		                "<th scope=col>may sign as<th scope=col>purpose<th scope=col>here<th scope=col>fingerprint (SHA-256)</thead>\n<tbody>");
		for (size_t i = 0; i < verified->trust.count; i++)
			put_key(standing, &verified->trust.at[i], out);
		bytes_text(out, "</table></div>\n");
	}
	for (size_t i = 0; standing->integrity == OK && i < verified->reviewed.count; i++)
		html_put(out, "<p>%s is countersigned by %s, key <code class=hash>%s</code>\n", verified->reviewed.at[i].over, verified->reviewed.at[i].reviewer,
		         verified->reviewed.at[i].fingerprint);
	if (standing->admitted.len > 0) {
		bytes_text(out, "<pre class=admitted tabindex=0>");
		html_lines(standing->admitted.data, standing->admitted.len, out);
		bytes_text(out, "</pre>\n");
	}
}

static void put_limits(const struct standing *standing, struct bytes *out)
{
	const struct catalogue *catalogue = &standing->derivation.catalogue;

	bytes_text(out, "<h3>What this cannot show</h3>\n<ul>\n"
	                "<li>A signature proves who vouches for bytes, not that what they say is true.\n");
	if (standing->pinned == NULL)
		bytes_text(out, "<li>Whoever replaces the whole bundle can replace the keys in it: only a fingerprint from elsewhere rules that out.\n");
	bytes_text(out, "<li>Evidence is graded, and grades are never mixed in one table: ");
	page_grade("reported", out);
	bytes_text(out, " is what a source published of a turn, without its kernel; ");
	page_grade("static", out);
	bytes_text(out, " is what the code is seen to contain; ");
	page_grade("executed", out);
	bytes_text(out, " is what was counted while it ran. Target instructions in <em>reported</em> rows are letters found in PTX text, not instructions that ran.\n"
	                "<li>Nothing was compiled and nothing was measured for this page. Records of measurements are those that the bundle holds.\n");
	for (size_t t = 0; standing->derived == OK && t < catalogue->table_count; t++)
		for (size_t i = 0; i < catalogue->tables[t].underivable_count; i++)
			html_put(out, "<li>Not derivable: <a href=\"#t-%s\">%s</a>, %s: %s\n", catalogue->tables[t].name, catalogue->tables[t].name,
			         catalogue->tables[t].underivable[i].column, catalogue->tables[t].underivable[i].why);
	bytes_text(out, "</ul>\n");
}

enum status summary_part(struct report *report, void *state, struct bytes *out, struct error *err)
{
	(void)state;
	(void)err;
	const struct measured_count count = measured(report->standing);

	if (report->trail != NULL && report->trail->runs.count > 0)
		put_content(report->trail, out);
	put_verdict(report->standing, out);
	glance_put(report->standing, &count, out);
	put_ladder(report->standing, &count, out);
	put_findings(report->standing, out);
	put_signers(report->standing, out);
	put_limits(report->standing, out);
	return OK;
}
