#include <getopt.h>
#include <stdio.h>

#include "../base/bytes.h"
#include "../base/jcs.h"
#include "../command.h"

enum form { TEXT, JSON, MARKDOWN };

static enum status write_json(struct bytes *out, struct error *err)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < RULE_COUNT; i++) {
		const struct rule_info *rule = rule_info((enum rule)i);
		cJSON *item = cJSON_CreateObject();

		cJSON_AddNumberToObject(item, "exit", rule->status);
		cJSON_AddStringToObject(item, "id", rule->id);
		cJSON_AddStringToObject(item, "remedy", rule->remedy);
		cJSON_AddStringToObject(item, "severity", severity_name(rule->severity));
		cJSON_AddStringToObject(item, "text", rule->text);
		cJSON_AddItemToArray(list, item);
	}
	enum status status = jcs_write(list, out, err);

	bytes_char(out, '\n');
	cJSON_Delete(list);
	return status;
}

static void markdown_cell(const char *text, struct bytes *out)
{
	for (const char *c = text; *c != '\0'; c++) {
		if (*c == '|' || *c == '<' || *c == '*')
			bytes_char(out, '\\');
		bytes_char(out, *c);
	}
}

static void write_markdown(struct bytes *out)
{
	bytes_text(out, "# Rules\n"
	                "\n"
	                "Every check has one. This file is written by `ptxseal rules --markdown`. The exit code is what a\n"
	                "command ends with that cannot go on; `ptxseal verify` reports all it finds and exits 1. WARNING and INFO,\n"
	                "in place of an exit code, stop nothing: they are said for whoever decides.\n"
	                "\n"
	                "| rule | exit | what must be so | what you can do |\n"
	                "|---|---|---|---|\n");
	for (size_t i = 0; i < RULE_COUNT; i++) {
		const struct rule_info *rule = rule_info((enum rule)i);

		if (rule->severity == SEVERITY_ERROR)
			bytes_format(out, "| %s | %d | ", rule->id, (int)rule->status);
		else
			bytes_format(out, "| %s | %s | ", rule->id, severity_name(rule->severity));
		markdown_cell(rule->text, out);
		bytes_text(out, " | ");
		markdown_cell(rule->remedy, out);
		bytes_text(out, " |\n");
	}
}

static void write_text(struct bytes *out)
{
	for (size_t i = 0; i < RULE_COUNT; i++) {
		const struct rule_info *rule = rule_info((enum rule)i);

		if (rule->severity == SEVERITY_ERROR)
			bytes_format(out, "%s  exit %d  %s; %s\n", rule->id, (int)rule->status, rule->text, rule->remedy);
		else
			bytes_format(out, "%s  %s  %s; %s\n", rule->id, severity_name(rule->severity), rule->text, rule->remedy);
	}
}

static enum status run(int argc, char **argv)
{
	static const struct option options[] = {
		{"json", no_argument, NULL, JSON},
		{"markdown", no_argument, NULL, MARKDOWN},
		{0},
	};
	enum form form = TEXT;
	struct bytes out = {0};
	struct error err;
	enum status status = OK;
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == '?')
			return command_usage(&command_rules, "'%s' is no option", command_option(argc, argv));
		if (form != TEXT)
			return command_usage(&command_rules, "one form at a time");
		form = (enum form)option;
	}
	if (optind < argc)
		return command_usage(&command_rules, "it takes no argument");
	if (form == JSON)
		status = write_json(&out, &err);
	else if (form == MARKDOWN)
		write_markdown(&out);
	else
		write_text(&out);
	if (status == OK)
		fwrite(out.data, 1, out.len, stdout);
	else
		error_print(&err);
	bytes_free(&out);
	return status;
}

const struct command command_rules = {
	.name = "rules",
	.run = run,
	.usage = "rules [--json | --markdown]",
	.summary = "list every rule that is checked",
	.help =
		"Prints the id of every rule, the exit code of a command that it stops, what must be\n"
		"so and what you can do where it is not. WARNING and INFO, in place of an exit code, stop\n"
		"nothing.\n"
		"\n"
		"  --json      a canonical JSON array, for machines\n"
		"  --markdown  docs/rules.md\n",
};
