/* ptxseal table: one derived table, for a reader's eyes or in the bytes that derive writes. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../command.h"
#include "../derive/ask.h"
#include "../derive/derivation.h"
#include "../derive/writer.h"
#include "../report/grid.h"
#include "../report/terminal.h"
#include "text.h"
#include "unvouched.h"

enum form { FORM_TEXT, FORM_CSV, FORM_MD, FORM_TEX, FORM_JSON, FORM_COUNT };

static const char *const form_names[FORM_COUNT] = {"text", "csv", "md", "tex", "json"};

struct options {
	const char *name; /* NULL: list them */
	const char *bundle;
	enum form form;
	struct choice choice;
	size_t width;
};

static bool parse_width(const char *text, size_t *width)
{
	char *end = NULL;
	const unsigned long value = strtoul(text, &end, 10);

	*width = value;
	return text[0] >= '0' && text[0] <= '9' && *end == '\0' && value >= TERMINAL_WIDTH_LEAST && value <= TERMINAL_WIDTH_MOST;
}

/* What goes to a pipe or a file is the same everywhere. */
static size_t default_width(void)
{
	const char *told = getenv("COLUMNS");
	struct winsize size;
	size_t width = 0;

	if (!isatty(STDOUT_FILENO))
		return TERMINAL_WIDTH;
	if (told != NULL && parse_width(told, &width))
		return width;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= TERMINAL_WIDTH_LEAST && size.ws_col <= TERMINAL_WIDTH_MOST)
		return size.ws_col;
	return TERMINAL_WIDTH;
}

static bool parse_form(const char *text, enum form *form)
{
	for (*form = FORM_TEXT; *form < FORM_COUNT; ++*form)
		if (strcmp(text, form_names[*form]) == 0)
			return true;
	return false;
}

static enum status parse_options(int argc, char **argv, struct options *options)
{
	static const struct option longs[] = {{"format", required_argument, NULL, 'f'}, {"columns", required_argument, NULL, 'c'},
	                                      {"rows", required_argument, NULL, 'r'},   {"width", required_argument, NULL, 'w'},
	                                      {"list", no_argument, NULL, 'l'},         {0}};
	bool list = argc == 1;
	int option;

	*options = (struct options){.bundle = "."};
	optind = 0; /* glibc: scan anew */
	opterr = 0;
	while ((option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (option == 'f' && !parse_form(optarg, &options->form))
			return command_usage(&command_table, "--format is text, csv, md, tex or json, not '%s'", optarg);
		else if (option == 'w' && !parse_width(optarg, &options->width))
			return command_usage(&command_table, "--width is %d to %d, not '%s'", TERMINAL_WIDTH_LEAST, TERMINAL_WIDTH_MOST, optarg);
		else if (option == 'c')
			options->choice.columns = optarg;
		else if (option == 'r')
			options->choice.rows = optarg;
		else if (option == 'l')
			list = true;
		else if (option == '?')
			return command_usage(&command_table, "unknown option or missing value: '%s'", command_option(argc, argv));
	}
	const bool chooses = options->choice.columns != NULL || options->choice.rows != NULL;

	if (list && (chooses || (options->form != FORM_TEXT && options->form != FORM_JSON)))
		return command_usage(&command_table, "the list is text or json, and whole");
	if (chooses && options->form != FORM_TEXT && options->form != FORM_JSON)
		return command_usage(&command_table, "--columns and --rows go with text and json; %s is what derive writes", form_names[options->form]);
	if (options->width != 0 && options->form != FORM_TEXT)
		return command_usage(&command_table, "--width goes with text");
	if (!list && optind == argc)
		return command_usage(&command_table, "a table is wanted, or --list");
	if (!list)
		options->name = argv[optind++];
	if (argc - optind > 1)
		return command_usage(&command_table, "one bundle is wanted%s", list ? "" : " after the table");
	if (optind < argc)
		options->bundle = argv[optind];
	if (options->width == 0)
		options->width = default_width();
	return OK;
}

static void print_bytes(struct bytes *out)
{
	fwrite(out->data, 1, out->len, stdout);
	bytes_free(out);
}

static void print_list(const struct options *options, const struct catalogue *catalogue)
{
	cJSON *tree = cJSON_CreateArray();
	struct bytes out = {0};
	size_t widest = 0;

	for (size_t i = 0; i < catalogue->table_count; i++)
		widest = strlen(catalogue->tables[i].name) > widest ? strlen(catalogue->tables[i].name) : widest;
	for (size_t i = 0; i < catalogue->table_count; i++) {
		const struct table *table = &catalogue->tables[i];
		cJSON *object = cJSON_CreateObject();

		bytes_format(&out, "%-*s  ", (int)widest, table->name);
		grid_paragraph(table->title, widest + 2, widest + 4, options->width, &out);
		bytes_char(&out, '\n');
		cJSON_AddStringToObject(object, "table", table->name);
		cJSON_AddStringToObject(object, "title", table->title);
		cJSON_AddStringToObject(object, "rebuilds", table->rebuilds);
		cJSON_AddStringToObject(object, "evidence", table->evidence);
		cJSON_AddItemToArray(tree, object);
	}
	if (options->form == FORM_JSON)
		report_json(tree, stdout);
	else
		fwrite(out.data, 1, out.len, stdout);
	bytes_free(&out);
	cJSON_Delete(tree);
}

static enum status print_chosen(const struct options *options, const struct derived *derived, struct error *err)
{
	struct chosen chosen;
	enum status status = chosen_make(derived, &options->choice, &chosen, err);

	if (status == OK && options->form == FORM_JSON) {
		cJSON *tree = chosen_json(&chosen);

		report_json(tree, stdout);
		cJSON_Delete(tree);
	} else if (status == OK) {
		struct bytes out = {0};

		terminal_write(&chosen, options->width, &out);
		print_bytes(&out);
	}
	chosen_free(&chosen);
	return status;
}

static enum status print_table(const struct options *options, const struct derivation *derivation, struct error *err)
{
	static void (*const writers[FORM_COUNT])(const struct derived *, struct bytes *) = {[FORM_CSV] = write_csv, [FORM_MD] = write_markdown, [FORM_TEX] = write_latex};
	const struct table *table = NULL;
	struct derived derived = {0};
	struct bytes out = {0};
	enum status status = ask_table(&derivation->catalogue, options->name, &table, err);

	if (status == OK)
		status = derived_make(derivation->db, table, &derived, err);
	if (status == OK && writers[options->form] != NULL) {
		writers[options->form](&derived, &out);
		print_bytes(&out);
	} else if (status == OK) {
		status = print_chosen(options, &derived, err);
	}
	derived_free(&derived);
	return status;
}

static enum status run_table(int argc, char **argv)
{
	struct options options;
	struct derivation derivation = {.bundle = {.fd = -1}};
	struct error err = {0};
	enum status status = parse_options(argc, argv, &options);

	if (status != OK)
		return status;
	status = derivation_open(options.bundle, &derivation, &err);
	if (status == OK && options.name == NULL)
		print_list(&options, &derivation.catalogue);
	else if (status == OK)
		status = print_table(&options, &derivation, &err);
	if (status != OK)
		error_print(&err);
	if (status == OK || status == FAILS)
		unvouched_warn(&derivation.bundle);
	derivation_close(&derivation);
	return status;
}

const struct command command_table = {
	.name = "table",
	.run = run_table,
	.usage = "table [--format FORMAT] [--columns LIST] [--rows TEXT] [--width N] NAME [BUNDLE]\n"
	         "       ptxseal table --list [--format FORMAT] [BUNDLE]",
	.summary = "one derived table, in the terminal or as a file",
	.help = "Derive one table and print it; without NAME, list them with their titles. As in\n"
	        "\n"
	        "  ptxseal table figure1\n"
	        "  ptxseal table fast_p --rows 'GLM-5.2/hopper/all' --columns percent,percent_target\n"
	        "\n"
	        "What does not fit the width is narrowed by rules, in this order: names of columns\n"
	        "and texts go on below themselves; what rows share stands once above them, with the\n"
	        "leading columns of the key; further columns go into a block below, which begins\n"
	        "with the rest of the key; rows that share nothing are lists, a line a column.\n"
	        "Characters that act on a terminal, show nothing or turn the reading direction are\n"
	        "shown as escapes. Of a bundle that is not as it was sealed a warning says so.\n"
	        "\n"
	        "  --format FORMAT  text (the default) for the eye, json (every cell a text, no value\n"
	        "                   null), or csv, md, tex: the very bytes that derive writes\n"
	        "  --columns LIST   only these, with commas between, and the key's\n"
	        "  --rows TEXT      only rows whose name, the key's values joined by '/' as explain\n"
	        "                   takes it, has TEXT in it\n"
	        "  --width N        40 to 1000; default: the terminal's (COLUMNS, where that is set),\n"
	        "                   and 80 where the output is no terminal\n"
	        "  --list           the tables and their titles\n",
};
