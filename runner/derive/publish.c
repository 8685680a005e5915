#include "publish.h"

#include <stdlib.h>
#include <string.h>

#include "../bundle/layout.h"
#include "parallel.h"
#include "writer.h"

static const struct {
	const char *extension;
	void (*write)(const struct derived *derived, struct bytes *out);
} forms[] = {{"csv", write_csv}, {"md", write_markdown}, {"tex", write_latex}};

enum { FORMS = sizeof forms / sizeof forms[0] };

/* What a list may name: a file that publish itself could have written. */
static bool ours(const char *name, size_t len)
{
	const char *dot = memchr(name, '.', len);

	if (dot == NULL || !sql_name_valid(name, (size_t)(dot - name)))
		return false;
	for (size_t i = 0; i < FORMS; i++)
		if (strlen(forms[i].extension) == len - (size_t)(dot + 1 - name) &&
		    memcmp(dot + 1, forms[i].extension, strlen(forms[i].extension)) == 0)
			return true;
	return false;
}

struct publishing {
	const struct products *products;
	const struct derived *derived;
};

static enum status write_table(struct database *db, size_t index, void *context, struct error *err)
{
	const struct publishing *publishing = context;
	const struct derived *derived = &publishing->derived[index];
	enum status status = OK;

	(void)db;
	for (size_t i = 0; i < FORMS && status == OK; i++) {
		char *name = mem_format("%s.%s", derived->table->name, forms[i].extension);
		struct bytes text = {0};

		forms[i].write(derived, &text);
		status = products_write(publishing->products, name, &text, err);
		bytes_free(&text);
		free(name);
	}
	return status;
}

enum status publish_place(const char *out, struct error *err)
{
	if (out[0] == '\0')
		return error_set(err, R_IO_NAME, "", "an empty name for a directory");
	return layout_inside_bundle(out) ? error_set(err, R_BND_OUTSIDE, out, "this is inside a bundle") : OK;
}

enum status publish(const struct derived *derived, size_t count, const char *out, struct products *products, struct error *err)
{
	struct bytes names = {0};

	for (size_t t = 0; t < count; t++)
		for (size_t i = 0; i < FORMS; i++)
			bytes_format(&names, "%s.%s\n", derived[t].table->name, forms[i].extension);
	enum status status = products_open(products, out, PUBLISH_LIST, ours, &names, err);
	struct publishing publishing = {.products = products, .derived = derived};

	if (status == OK)
		status = products_begin(products, err);
	if (status == OK)
		status = parallel_run(NULL, count, write_table, &publishing, err);
	return status == OK ? products_end(products, err) : status;
}
