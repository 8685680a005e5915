#include "html.h"
#include "page.h"
#include "parts.h"

enum status summary_part(struct report *report, void *state, struct bytes *out, struct error *err)
{
	const struct standing *standing = report->standing;

	(void)state;
	(void)err;
	bytes_text(out, "<p>");
	page_verdict(standing_holds(standing) ? "HOLDS" : "DOES NOT HOLD", out);
	html_put(out, "<p>Files: %llu", (unsigned long long)standing->verified.files);
	return OK;
}
