#include "unvouched.h"

#include <stdio.h>

#include "../bundle/layout.h"
#include "../submission/logbook.h"
#include "report.h"

void unvouched_warn(const struct root *bundle)
{
	const struct verify_options how = {.quiet = true};
	struct verify_report report = {0};

	if (!root_has(bundle, LAYOUT_SUMS) && !root_has(bundle, LAYOUT_ROOT_MANIFEST))
		return;
	if (archive_verify(bundle, &how, &report) != OK && report.findings.count > 0) {
		fflush(stdout); /* it is about what stands above it */
		fprintf(stderr, "ptxseal: WARNING: this bundle is not as it was sealed, so nobody vouches for what was printed of it. `ptxseal verify` names %zu %s; the first:\n",
		        report.findings.count, report.findings.count == 1 ? "finding" : "findings");
		report_findings(&report.findings, 1, stderr);
	}
	verify_report_free(&report);
}
