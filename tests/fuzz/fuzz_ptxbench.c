/* Any bytes as the eight CSV files of a source, one after the other with a form feed between, and the figures after them: no crash;
 * what is taken makes a ledger that its own reader takes. */
#include "fuzz.h"

#include "model/records.h"

static enum status count_turn(void *context, const struct run *run, const struct turn *turn, uint64_t line,
                              struct error *err)
{
	(void)run;
	(void)turn;
	(void)line;
	(void)err;
	++*(uint64_t *)context;
	return OK;
}

static void check_ledger(const struct ptxbench *data, const struct records *records)
{
	uint64_t turns = 0;
	const struct ledger_visitor visitor = {.on_turn = count_turn, .context = &turns};
	size_t run = 0;

	for (size_t i = 0; i < records->count; i++) {
		const struct record_file *file = &records->at[i];
		const char *end = strrchr(file->path, '/');

		REQUIRE(path_valid(file->path, strlen(file->path)));
		if (strncmp(file->path, LEDGER_DIRECTORY "/", strlen(LEDGER_DIRECTORY "/")) == 0 && strcmp(end, "/turns.jsonl") == 0)
			REQUIRE(turns_read(file->text.data, file->text.len, file->path, &data->runs[run++].run, &visitor, NULL) == OK);
	}
	REQUIRE(run == data->run_count && turns == data->turn_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ptxbench source = {0};
	struct provenance provenance = {.commit = "0123456"};
	struct irregularities found = {0};
	struct records records = {0};
	struct error err = {0};
	const char *text = (const char *)data;
	size_t at = 0;

	for (int i = 0; i < PTXBENCH_FILES; i++) {
		const char *end = at < size ? memchr(text + at, '\f', size - at) : NULL;
		size_t len = end == NULL ? size - at : (size_t)(end - (text + at));

		bytes_add(&source.inputs[i].text, text + at, len);
		at += len + (end != NULL);
	}
	bytes_add(&provenance.figures_text, text + at, size - at);
	enum status status = ptxbench_parse(&source, &err);

	REQUIRE(status == OK || (status == MALFORMED && err.file[0] != '\0'));
	if (status == OK) {
		if (figures_parse(provenance.figures_text.data, provenance.figures_text.len, "figures.json", &provenance.figures,
		                  &err) == OK)
			provenance.figures_name = "figures.json";
		irregularities_find(&source, &found);
		records_make(&source, &found, &provenance, &records);
		check_ledger(&source, &records);
	}
	records_free(&records);
	irregularities_free(&found);
	figures_free(&provenance.figures);
	bytes_free(&provenance.figures_text);
	ptxbench_free(&source);
	return 0;
}
