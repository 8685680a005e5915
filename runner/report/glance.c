#include "glance.h"

#include <stdlib.h>
#include <string.h>

#include "../base/progress.h"
#include "../derive/reason.h"
#include "html.h"
#include "page.h"

enum { SIGNERS_SHOWN = 3, CLAIMS_SHOWN = 3 };

size_t glance_first(const char *text, size_t len)
{
	size_t end = len;

	for (size_t i = 0; i + 1 < len && end == len; i++)
		if (text[i] == '.' && text[i + 1] == ' ')
			end = i;
	if (end > GLANCE_TEXT_MAX)
		for (end = GLANCE_TEXT_MAX; end > 0 && ((unsigned char)text[end] & 0xC0u) == 0x80;)
			end--;
	return end;
}

static void begin(const char *name, struct bytes *out)
{
	html_put(out, "<div><dt>%s<dd>", name);
}

static void end(struct bytes *out)
{
	bytes_text(out, "</div>\n");
}

/* ---- rung ---- */

static int reached(const struct standing *standing)
{
	if (standing->integrity != OK)
		return 0;
	return standing_derives(standing) && standing_decides(standing) ? 2 : 1;
}

static void put_rung(const struct standing *standing, struct bytes *out)
{
	static const char *const names[] = {"integrity", "derivation", "rebuild", "replay", "fresh"};
	enum { RUNGS = sizeof names / sizeof names[0], TRIED = 2 };
	const int rung = reached(standing);

	begin("Rung of the ladder reached", out);
	html_put(out, "<strong>%d of %d</strong>%s%s\n<ul class=rungs>", rung, (int)RUNGS, rung > 0 ? ", " : "", rung > 0 ? names[rung - 1] : "");
	for (int i = 0; i < RUNGS; i++) {
		const bool holds = i == 0 ? standing->integrity == OK : standing_derives(standing) && standing_decides(standing);

		if (i < TRIED)
			html_put(out, "<li class=%s><span aria-hidden=true>%s</span> %s", holds ? "good" : "bad", holds ? "✓" : "✗", names[i]);
		else
			html_put(out, "<li class=open><span aria-hidden=true>·</span> %s", names[i]);
	}
	bytes_text(out, "</ul><p>What has a dot was not tried here: it needs a toolkit, a GPU, a model.");
	end(out);
}

/* ---- bytes and who signed them ---- */

static void put_signers(const struct standing *standing, struct bytes *out)
{
	const struct verify_report *verified = &standing->verified;
	const struct signers *signers = &verified->root_signers;

	bytes_text(out, "<p>Sealed by");
	for (size_t i = 0; i < signers->count && i < SIGNERS_SHOWN; i++)
		html_put(out, "%s <b>%s</b><br><code class=hash>%s</code><br>\n", i > 0 ? "and" : "", signers->at[i]->file, signers->at[i]->fingerprint);
	if (signers->count > SIGNERS_SHOWN)
		html_put(out, "and %zu more keys<br>\n", signers->count - SIGNERS_SHOWN);
	if (verified->date[0] != '\0')
		html_put(out, "on %s; ", verified->date);
	bytes_text(out, standing->pinned != NULL ? "it is the key that the reader named." : "whether that is the right key only you can say: <a href=\"#signed\">how</a>.");
}

static void put_verified(const struct standing *standing, struct bytes *out)
{
	const struct verify_report *verified = &standing->verified;
	char amount[32];

	progress_amount(verified->bytes, true, amount, sizeof amount);
	begin("Verified, and signed by whom", out);
	html_put(out, "<strong>%llu files</strong>, %s", (unsigned long long)verified->files, amount);
	bytes_text(out, standing->integrity == OK ? ": every byte is the one that was signed" : "");
	if (verified->left_out > 0)
		html_put(out, "; %llu sealed files travel apart and were not looked at", (unsigned long long)verified->left_out);
	bytes_char(out, '\n');
	if (standing->integrity == OK)
		put_signers(standing, out);
	else
		html_put(out, "<p><span class=bad>They are not what was signed</span>: <a href=\"#findings\">%zu %s</a>. So nobody vouches for them.", verified->findings.count,
		         verified->findings.count == 1 ? "finding" : "findings");
	end(out);
}

/* ---- claims ---- */

static size_t decided(const struct standing *standing, bool findings, enum claim_verdict verdict)
{
	size_t count = 0;

	for (size_t i = 0; i < standing->derivation.catalogue.claim_count; i++)
		count += standing->decisions[i].claim->is_finding == findings && standing->decisions[i].verdict == verdict;
	return count;
}

static void put_not_held(const struct standing *standing, bool findings, struct bytes *out)
{
	size_t shown = 0, left = 0;

	bytes_text(out, "<ul>");
	for (size_t i = 0; i < standing->derivation.catalogue.claim_count; i++) {
		const struct decision *decision = &standing->decisions[i];

		if (decision->claim->is_finding != findings || (decision->verdict == CLAIM_HOLDS && decision->as_expected))
			continue;
		if (shown == CLAIMS_SHOWN) {
			left++;
			continue;
		}
		html_put(out, "<li><span class=%s aria-hidden=true>%s</span> <a href=\"#c-%s\">%s</a> %s%s", decision->verdict == CLAIM_FAILS ? "bad" : "open",
		         decision->verdict == CLAIM_FAILS ? "✗" : decision->verdict == CLAIM_HOLDS ? "✓" : "∅", decision->claim->id, decision->claim->id, decision->claim->table.title,
		         decision->as_expected ? "" : " (not as expected)");
		shown++;
	}
	bytes_text(out, "</ul>");
	if (left > 0)
		html_put(out, "<p>and <a href=\"#claims\">%zu more</a>", left);
}

static void put_claims(const struct standing *standing, bool findings, const char *name, struct bytes *out)
{
	const size_t holds = decided(standing, findings, CLAIM_HOLDS), fails = decided(standing, findings, CLAIM_FAILS), open = decided(standing, findings, CLAIM_NOT_DERIVABLE);

	if (holds + fails + open == 0)
		return;
	begin(name, out);
	html_put(out, "<strong>%zu of %zu hold</strong>", holds, holds + fails + open);
	if (fails > 0)
		html_put(out, ", %zu %s", fails, fails == 1 ? "fails" : "fail");
	if (open > 0)
		html_put(out, ", %zu cannot be decided", open);
	put_not_held(standing, findings, out);
	end(out);
}

/* ---- differences ---- */

/* The reasons of the most cells, one a verdict: what differs comes before what cannot be derived. */
static void put_reasons(const struct check *check, struct bytes *out)
{
	struct reason *reasons;
	const size_t count = reasons_of(check, &reasons);

	for (int verdict = VERDICT_DIFFERS; verdict <= VERDICT_NOT_DERIVABLE; verdict++) {
		const struct reason *most = NULL;

		for (size_t i = 0; i < count; i++)
			if ((int)reasons[i].verdict == verdict && (most == NULL || reasons[i].cells > most->cells))
				most = &reasons[i];
		if (most == NULL)
			continue;
		html_put(out, "<li><span aria-hidden=true>%s</span> %zu of %zu: “", verdict == VERDICT_DIFFERS ? "≠" : "∅", most->cells, verdict == VERDICT_DIFFERS ? check->total.differs : check->total.not_derivable);
		html_text(most->reason, glance_first(most->reason, most->reason_len), GLANCE_TEXT_MAX, HTML_ELEMENT, out);
		bytes_text(out, "”");
	}
	free(reasons);
}

static void put_differences(const struct standing *standing, struct bytes *out)
{
	const struct table_totals *total = &standing->check.total;

	if (total->published == 0)
		return;
	begin("Published cells, derived again", out);
	html_put(out, "<strong>%zu of %zu are the same</strong>, %zu differ, %zu cannot be derived", total->same, total->published, total->differs, total->not_derivable);
	if (total->unknown + standing->check.vanished > 0)
		html_put(out, "\n<p class=bad>%zu %s not as <a href=\"#differences\">listed</a>.", total->unknown + standing->check.vanished, total->unknown + standing->check.vanished == 1 ? "is" : "are");
	if (total->known > 0) {
		html_put(out, "<p>Each %shas <a href=\"#differences\">its reason</a>; that of the most cells:<ul>", total->unknown + standing->check.vanished > 0 ? "listed one " : "");
		put_reasons(&standing->check, out);
		bytes_text(out, "</ul>");
	}
	end(out);
}

static void put_measured(const struct measured_count *measured, struct bytes *out)
{
	if (measured->records == 0)
		return;
	begin("Measured on GPUs, earlier", out);
	html_put(out, "<strong>%llu %s</strong>, %llu of them correct\n<p>Their records are in the bundle and were not measured again for this page: <a href=\"#kernels\">each has a page</a>.", measured->records,
	         measured->records == 1 ? "kernel" : "kernels", measured->correct);
	end(out);
}

void glance_put(const struct standing *standing, const struct measured_count *measured, struct bytes *out)
{
	bytes_text(out, "<dl class=glance>\n");
	put_rung(standing, out);
	put_verified(standing, out);
	if (standing->derived == OK) {
		put_claims(standing, false, "Claims of the paper", out);
		put_claims(standing, true, "What one would take for granted of the data", out);
		put_differences(standing, out);
		put_measured(measured, out);
	}
	bytes_text(out, "</dl>\n");
}
