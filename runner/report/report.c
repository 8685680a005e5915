#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "../derive/parallel.h"
#include "html.h"
#include "page.h"
#include "parts.h"

static const struct report_part parts[] = {
	{"holds", "What holds", NULL, summary_part, NULL},
	{"claims", "Claims", NULL, claims_part, NULL},
	{"differences", "Differences", NULL, differences_part, NULL},
	{"figures", "Figures", figures_begin, figures_part, figures_end},
	{"kernels", "Measured kernels", kernels_begin, kernels_part, kernels_end},
	{"tables", "Tables", NULL, tables_part, NULL},
	{"records", "Records", NULL, records_part, NULL},
};

enum { PARTS = sizeof parts / sizeof parts[0] };

static void free_files(struct report *report)
{
	for (size_t i = 0; i < report->file_count; i++) {
		free(report->files[i].path);
		bytes_free(&report->files[i].text);
	}
	free(report->files);
	*report = (struct report){0};
}

void report_add(struct report *report, const char *path, struct bytes *text)
{
	report->files = mem_array(report->files, report->file_count + 1, sizeof *report->files);
	report->files[report->file_count++] = (struct report_file){.path = mem_text(path), .text = *text};
	*text = (struct bytes){0};
}

static enum status begin_parts(struct report *report, void *states[PARTS], struct error *err)
{
	enum status status = OK;

	for (size_t i = 0; i < PARTS && status == OK; i++)
		if (parts[i].begin != NULL)
			status = parts[i].begin(report, &states[i], err);
	return status;
}

static enum status write_parts(struct report *report, void *states[PARTS], struct bytes sections[PARTS], struct error *err)
{
	enum status status = OK;

	/* Those for which something goes on meanwhile come last. */
	for (int waits = 0; waits < 2; waits++)
		for (size_t i = 0; i < PARTS && status == OK; i++)
			if ((parts[i].begin != NULL) == (waits == 1))
				status = parts[i].write(report, states[i], &sections[i], err);
	return status;
}

static void end_parts(void *states[PARTS])
{
	for (size_t i = 0; i < PARTS; i++)
		if (parts[i].end != NULL)
			parts[i].end(states[i]);
}

static void put_page(struct report *report, const struct bytes sections[PARTS])
{
	struct page_link links[PARTS];
	struct page page = {.title = "ptxseal report", .links = links, .script = true};
	struct bytes out = {0};

	for (size_t i = 0; i < PARTS; i++)
		if (sections[i].len > 0)
			links[page.link_count++] = (struct page_link){.href = mem_format("#%s", parts[i].id), .text = parts[i].title};
	page_begin(&page, &out);
	for (size_t i = 0; i < PARTS; i++) {
		if (sections[i].len == 0)
			continue;
		html_put(&out, "<section id=\"%s\">\n<h2>%s</h2>\n", parts[i].id, parts[i].title);
		bytes_add(&out, sections[i].data, sections[i].len);
		bytes_text(&out, "</section>\n");
	}
	page_end(&page, &out);
	for (size_t i = 0; i < page.link_count; i++)
		free((char *)links[i].href);
	report_add(report, REPORT_PAGE, &out);
}

/* What is behind the cells, while parts begin. */
struct making {
	struct report *report;
	void **states;
	struct trail *trail;
	struct beside *beside;
};

static enum status begin_or_trace(struct database *db, size_t index, void *context, struct error *err)
{
	const struct making *making = context;
	const struct standing *standing = making->report->standing;

	(void)db;
	if (index == 0)
		return begin_parts(making->report, making->states, err);
	if (standing->derived != OK)
		return OK;
	const enum status status = trail_make(&standing->derivation, making->trail, err);

	return status == OK ? beside_make(&standing->derivation, &standing->check, making->beside, err) : status;
}

static enum status make_files(const struct standing *standing, struct report *report, struct error *err)
{
	void *states[PARTS] = {0};
	struct bytes sections[PARTS] = {0};

	struct trail trail = {0};
	struct beside beside = {0};
	struct sealed sealed;

	*report = (struct report){.standing = standing, .bundle = &standing->derivation.bundle, .sealed = &sealed};
	sealed_read(report->bundle, &sealed);
	struct making making = {report, states, &trail, &beside};
	enum status status = parallel_run(NULL, 2, begin_or_trace, &making, err);

	if (status == OK && standing->derived == OK) {
		report->trail = &trail;
		report->beside = &beside;
	}
	if (status == OK)
		status = write_parts(report, states, sections, err);
	end_parts(states);
	if (status == OK)
		put_page(report, sections);
	for (size_t i = 0; i < PARTS; i++)
		bytes_free(&sections[i]);
	beside_free(&beside);
	trail_free(&trail);
	sealed_free(&sealed);
	report->trail = NULL;
	report->beside = NULL;
	report->sealed = NULL;
	return status;
}

static bool ends_with(const char *name, size_t len, const char *end)
{
	return len > strlen(end) && memcmp(name + len - strlen(end), end, strlen(end)) == 0;
}

/* A file that a report could have written. */
static bool ours(const char *name, size_t len)
{
	static const char *const places[][2] = {{"figures/", ".svg"}, {"figures/", ".pdf"}, {"figures/", ".csv"}, {"kernels/", ".html"}, {"", ".html"}};

	if (!path_valid(name, len))
		return false;
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		size_t before = strlen(places[i][0]);

		if (len > before && memcmp(name, places[i][0], before) == 0 && memchr(name + before, '/', len - before) == NULL &&
		    ends_with(name, len, places[i][1]))
			return true;
	}
	return false;
}

static int by_path(const void *left, const void *right)
{
	return strcmp(((const struct report_file *)left)->path, ((const struct report_file *)right)->path);
}

static enum status write_files(const struct report *report, const char *out, struct products *products, struct error *err)
{
	struct bytes names = {0};

	qsort(report->files, report->file_count, sizeof *report->files, by_path);
	for (size_t i = 0; i < report->file_count; i++)
		bytes_format(&names, "%s\n", report->files[i].path);
	enum status status = products_open(products, out, REPORT_LIST, ours, &names, err);

	for (size_t i = 0; i < report->file_count && status == OK; i++)
		if (products_foreign(products, report->files[i].path))
			status = error_set(err, R_RPT_FOREIGN, out, "%s stands there, and no " REPORT_LIST " names it", report->files[i].path);
	if (status == OK)
		status = products_begin(products, err);
	for (size_t i = 0; i < report->file_count && status == OK; i++)
		status = products_write(products, report->files[i].path, &report->files[i].text, err);
	return status == OK ? products_end(products, err) : status;
}

enum status report_publish(const struct standing *standing, const char *out, struct error *err)
{
	struct report report = {0};
	struct products products = {.dir = {.fd = -1}};
	enum status status = make_files(standing, &report, err);

	if (status == OK)
		status = write_files(&report, out, &products, err);
	products_free(&products);
	free_files(&report);
	return status;
}
