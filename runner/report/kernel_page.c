#include "kernel_page.h"

#include <stdlib.h>

#include "../bundle/replays.h"
#include "code.h"
#include "html.h"
#include "page.h"
#include "sections.h"
#include "source.h"

const char kernel_style[] =
#include "kernel.css.inc"
	;

enum { SOURCE_MAX = 640 << 10, CODE_MAX = 320 << 10 };

static void put_stand_in(const struct kernel *kernel, struct bytes *out)
{
	if (cJSON_IsTrue(replay_at(kernel->record, "stand_in")))
		bytes_text(out, "<p class=stand-in role=note><strong>STAND-IN DEVICE</strong> Nothing on this page was measured on a GPU: a program that stands in for the driver, made for tests, answered. No number here "
		                "says anything about hardware.</p>\n");
}

static void section_source(const struct kernel *kernel, struct bytes *out)
{
	const struct kernel_file *ptx = kernel->ptx;
	const char *why = kernel_file_why(ptx);

	if (why[0] != '\0')
		html_put(out, "<p class=warning>%s</p>\n", why);
	if (ptx == NULL || (ptx->state != KERNEL_FILE_SAME && ptx->state != KERNEL_FILE_DIFFERS))
		return;
	html_put(out, "<p><code class=path>%s</code>. What is marked stands in the text; what of it ran is in <a href=\"#code\">the machine code</a>.</p>\n", ptx->path);
	source_put(ptx->text.data != NULL ? ptx->text.data : "", ptx->text.len, SOURCE_MAX, out);
}

static void section_code(const struct kernel *kernel, struct bytes *out)
{
	const struct kernel_file *cubin = kernel->cubin;
	const char *why = kernel_file_why(cubin);

	if (why[0] != '\0')
		html_put(out, "<p class=warning>%s</p>\n", why);
	if (kernel->why_no_code.what[0] != '\0')
		html_put(out, "<p class=warning>The cubin cannot be read: %s.</p>\n", kernel->why_no_code.what);
	if (!kernel->has_code)
		return;
	html_put(out, "<p><code class=path>%s</code>, %s. ", cubin->path, kernel->code.arch);
	if (kernel->is_measured_code)
		bytes_text(out, "These are the bytes that ran: counts stand beside the instructions.");
	else
		bytes_text(out, "These are <strong>not</strong> the bytes that ran, which another ptxas made: no counts stand beside the instructions.");
	bytes_text(out, "</p>\n<p class=note>Of the families of target instructions, and of multiplies and copies by one warp, the whole mnemonic is read, and how often each ran was counted; of all others the base mnemonic is read, "
	                "and operands are of none (nvdisasm shows them).</p>\n");
	code_put(&kernel->code, kernel->is_measured_code ? kernel->record : NULL, CODE_MAX, out);
}

/* Hashes and signatures are compared here one by one; whose keys count is said by a file that nobody vouches for then. */
static void put_unverified(const struct kernel *kernel, struct bytes *out)
{
	if (kernel->unverified)
		bytes_text(out, "<p class=warning><strong>This bundle does not verify</strong>: <a href=\"../report.html\">the report</a> says why. Who vouches for the files below rests on keys that the bundle names itself.</p>\n");
}

struct section {
	const char *id, *title;
	void (*put)(const struct kernel *kernel, struct bytes *out);
};

static const struct section sections[] = {
	{"outcome", "Outcome", section_outcome},       {"work", "Who did the work", section_work},   {"timing", "Timing", section_timing},
	{"trials", "Trials and errors", section_trials}, {"source", "PTX", section_source},            {"code", "Machine code", section_code},
	{"launches", "Launches", section_launches},    {"resources", "Resources", section_resources}, {"setting", "Machine, libraries, sandbox", section_setting},
	{"said", "Conversation", section_conversation}, {"files", "Files and who vouches for them", section_files},
};

enum { SECTIONS = sizeof sections / sizeof sections[0] };

void kernel_page(const struct kernel *kernel, struct bytes *out)
{
	const cJSON *record = kernel->record;
	char *title = mem_format("%s / %s", replay_text(record, "problem.task"), replay_text(record, "candidate.name"));
	struct page_link links[SECTIONS + 1] = {{"../report.html", "Report"}};
	struct page page = {.title = title, .links = links, .link_count = 1, .style = kernel_style};
	struct bytes bodies[SECTIONS] = {{0}};
	char *hrefs[SECTIONS] = {0};

	for (size_t i = 0; i < SECTIONS; i++) {
		sections[i].put(kernel, &bodies[i]);
		if (bodies[i].len == 0)
			continue;
		hrefs[i] = mem_format("#%s", sections[i].id);
		links[page.link_count++] = (struct page_link){hrefs[i], sections[i].title};
	}
	page_begin(&page, out);
	put_stand_in(kernel, out);
	put_unverified(kernel, out);
	for (size_t i = 0; i < SECTIONS; i++) {
		if (bodies[i].len == 0)
			continue;
		html_put(out, "<section id=\"%s\">\n<h2>%s</h2>\n", sections[i].id, sections[i].title);
		bytes_add(out, bodies[i].data, bodies[i].len);
		bytes_text(out, "</section>\n");
		bytes_free(&bodies[i]);
		free(hrefs[i]);
	}
	page_end(&page, out);
	free(title);
}
