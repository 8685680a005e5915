#include "unvouched.h"

#include <stdio.h>

#include "../bundle/layout.h"
#include "../submission/logbook.h"

void unvouched_warn(const struct root *bundle)
{
	const struct verify_options how = {.quiet = true};
	struct verify_report report = {0};
	struct findings first;
	struct bytes text = {0};

	if (!root_has(bundle, LAYOUT_SUMS) && !root_has(bundle, LAYOUT_ROOT_MANIFEST))
		return;
	if (archive_verify(bundle, &how, &report) != OK && report.findings.count > 0) {
		first = report.findings;
		first.count = 1;
		findings_text(&first, &text);
		fflush(stdout); /* it is about what stands above it */
		fprintf(stderr, "ptxseal: WARNING: this bundle is not as it was sealed, so nobody vouches for what was printed of it. `ptxseal verify` names %zu %s; the first:\n%.*s",
		        report.findings.count, report.findings.count == 1 ? "finding" : "findings", (int)text.len, (const char *)text.data);
	}
	bytes_free(&text);
	verify_report_free(&report);
}
