#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../base/utf8.h"

void report_text(const char *text, FILE *out)
{
	char piece[512];

	/* By whole characters of at most four bytes, each of which takes at most 10 when escaped. */
	while (*text != '\0') {
		size_t len = 0;

		while (text[len] != '\0' && len < sizeof piece / 12) {
			size_t step = utf8_next(text + len, strlen(text + len) < 4 ? strlen(text + len) : 4, NULL);

			len += step == 0 ? 1 : step;
		}
		utf8_printable(text, len, piece, sizeof piece);
		fputs(piece, out);
		text += len;
	}
}

void report_wrapped(const char *text, int at, int indent, int width, FILE *out)
{
	bool first = true;

	while (*text != '\0') {
		size_t len = strcspn(text, " ");
		char *word = mem_textn(text, len);

		if (!first && at + 1 + (int)len > width) {
			fprintf(out, "\n%*s", indent, "");
			at = indent;
		} else if (!first) {
			fputc(' ', out);
			at++;
		}
		report_text(word, out);
		free(word);
		at += (int)len;
		first = false;
		text += len;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

void report_json(const cJSON *tree, FILE *out)
{
	struct bytes text = {0};

	/* Counts and texts only, so there is no number that could not be written. */
	jcs_write(tree, &text, NULL);
	bytes_char(&text, '\n');
	fwrite(text.data, 1, text.len, out);
	bytes_free(&text);
}

static void print_totals(const char *name, const struct table_totals *totals, FILE *out)
{
	fprintf(out, "%-24s %9zu %9zu %9zu %14zu\n", name, totals->published, totals->same, totals->differs, totals->not_derivable);
}

static void print_quoted(const char *text, const char *absent, FILE *out)
{
	if (text == NULL) {
		fputs(absent, out);
		return;
	}
	fputc('\'', out);
	report_text(text, out);
	fputc('\'', out);
}

static void print_difference(const struct difference *difference, FILE *out)
{
	static const char *const states[] = {
		[DIFFERENCE_KNOWN] = "known", [DIFFERENCE_UNKNOWN] = "UNKNOWN", [DIFFERENCE_VANISHED] = "VANISHED"};

	fprintf(out, "%s %s: %s ", states[difference->state], verdict_name(difference->verdict), difference->table);
	report_text(difference->row, out);
	fputc(' ', out);
	report_text(difference->column, out);
	fputs(": published ", out);
	print_quoted(difference->published, "empty", out);
	fputs(", derived ", out);
	print_quoted(difference->derived, "no value", out);
	if (difference->state == DIFFERENCE_KNOWN) {
		fputs(": ", out);
		report_text(difference->reason, out);
	}
	fputc('\n', out);
}

static void print_rule(enum rule rule, FILE *out)
{
	fprintf(out, "%s: %s; %s\n", rule_info(rule)->id, rule_info(rule)->text, rule_info(rule)->remedy);
}

static void print_state(const struct check *check, enum difference_state state, FILE *out)
{
	for (size_t i = 0; i < check->difference_count; i++)
		if (check->differences[i].state == state)
			print_difference(&check->differences[i], out);
}

void report_findings(const struct findings *findings, size_t most, FILE *out)
{
	struct findings first = *findings;
	struct bytes text = {0};

	first.count = first.count > most ? most : first.count;
	findings_text(&first, &text);
	fputs(text.data == NULL ? "" : text.data, out);
	bytes_free(&text);
}

void report_check(const struct check *check, bool verbose, FILE *out)
{
	struct reason *reasons;
	size_t count = reasons_of(check, &reasons);

	fprintf(out, "%-24s %9s %9s %9s %14s\n", "table", "published", "SAME", "DIFFERS", "NOT DERIVABLE");
	for (size_t i = 0; i < check->table_count; i++)
		print_totals(check->tables[i].table->name, &check->tables[i], out);
	print_totals("all", &check->total, out);
	fprintf(out, "\nof the differences, known with a reason: %zu, unknown: %zu; listed but gone: %zu\n", check->total.known,
	        check->total.unknown, check->vanished);
	for (size_t i = 0; i < count; i++) {
		fprintf(out, "  %s: %zu %s %s: ", reasons[i].table, reasons[i].cells, reasons[i].cells == 1 ? "cell" : "cells",
		        verdict_name(reasons[i].verdict));
		char *common = mem_textn(reasons[i].reason, reasons[i].reason_len);

		report_text(common, out);
		fputc('\n', out);
		free(common);
	}
	if (verbose)
		print_state(check, DIFFERENCE_KNOWN, out);
	if (check->total.unknown > 0) {
		print_rule(R_CMP_UNKNOWN, out);
		print_state(check, DIFFERENCE_UNKNOWN, out);
	}
	if (check->vanished > 0) {
		print_rule(R_CMP_VANISHED, out);
		print_state(check, DIFFERENCE_VANISHED, out);
	}
	report_findings(&check->incomplete, check->incomplete.count, out);
	free(reasons);
}

static cJSON *totals_json(const struct table_totals *totals)
{
	cJSON *object = cJSON_CreateObject();

	cJSON_AddNumberToObject(object, "published", (double)totals->published);
	cJSON_AddNumberToObject(object, "same", (double)totals->same);
	cJSON_AddNumberToObject(object, "differs", (double)totals->differs);
	cJSON_AddNumberToObject(object, "not_derivable", (double)totals->not_derivable);
	cJSON_AddNumberToObject(object, "known", (double)totals->known);
	cJSON_AddNumberToObject(object, "unknown", (double)totals->unknown);
	return object;
}

static cJSON *difference_json(const struct difference *difference)
{
	static const char *const states[] = {
		[DIFFERENCE_KNOWN] = "known", [DIFFERENCE_UNKNOWN] = "unknown", [DIFFERENCE_VANISHED] = "vanished"};
	cJSON *object = cJSON_CreateObject();

	jcs_add_text(object, "table", difference->table);
	jcs_add_text(object, "row", difference->row);
	jcs_add_text(object, "column", difference->column);
	jcs_add_text(object, "published", difference->published);
	jcs_add_text(object, "derived", difference->derived);
	jcs_add_text(object, "reason", difference->reason);
	jcs_add_text(object, "verdict", verdict_name(difference->verdict));
	jcs_add_text(object, "state", states[difference->state]);
	return object;
}

cJSON *report_check_json(const struct check *check)
{
	cJSON *tree = totals_json(&check->total);
	cJSON *tables = cJSON_AddArrayToObject(tree, "tables");
	cJSON *differences = cJSON_AddArrayToObject(tree, "differences");

	cJSON_AddNumberToObject(tree, "vanished", (double)check->vanished);
	cJSON_AddItemToObject(tree, "incomplete", findings_json(&check->incomplete));
	cJSON_AddBoolToObject(tree, "holds", check_holds(check));
	for (size_t i = 0; i < check->table_count; i++) {
		cJSON *table = totals_json(&check->tables[i]);

		jcs_add_text(table, "table", check->tables[i].table->name);
		cJSON_AddItemToArray(tables, table);
	}
	for (size_t i = 0; i < check->difference_count; i++)
		cJSON_AddItemToArray(differences, difference_json(&check->differences[i]));
	return tree;
}

void report_claims(const struct decision *decisions, size_t count, FILE *out)
{
	for (size_t i = 0; i < count; i++) {
		const struct decision *decision = &decisions[i];
		const struct table *table = &decision->claim->table;

		fprintf(out, "%s%s  %s%s: ", i == 0 ? "" : "\n", decision->claim->id, claim_verdict_name(decision->verdict),
		        decision->as_expected ? "" : ", NOT AS EXPECTED");
		report_text(table->title, out);
		fputs("\n    claim: ", out);
		report_text(decision->claim->statement, out);
		fputs(" [", out);
		report_text(decision->claim->paper, out);
		fputs("]\n", out);
		if (!decision->as_expected)
			fprintf(out, "    expected: %s (%s)\n", decision->claim->expect, rule_info(R_CMP_CLAIM)->id);
		for (size_t c = 0; c < table->column_count; c++) {
			fprintf(out, "    %s = ", table->columns[c].name);
			report_text(claim_number(decision, c), out);
			fputs(": ", out);
			report_text(table->columns[c].meaning, out);
			fputc('\n', out);
		}
		for (size_t n = 0; n < table->note_count; n++) {
			fputs("    note: ", out);
			report_text(table->notes[n], out);
			fputc('\n', out);
		}
	}
}

cJSON *report_claims_json(const struct decision *decisions, size_t count)
{
	cJSON *tree = cJSON_CreateArray();

	for (size_t i = 0; i < count; i++) {
		const struct decision *decision = &decisions[i];
		const struct table *table = &decision->claim->table;
		cJSON *claim = cJSON_CreateObject();
		cJSON *numbers = cJSON_AddArrayToObject(claim, "numbers");

		jcs_add_text(claim, "claim", decision->claim->id);
		jcs_add_text(claim, "title", table->title);
		jcs_add_text(claim, "statement", decision->claim->statement);
		jcs_add_text(claim, "paper", decision->claim->paper);
		jcs_add_text(claim, "verdict", claim_verdict_name(decision->verdict));
		jcs_add_text(claim, "expect", decision->claim->expect);
		cJSON_AddBoolToObject(claim, "as_expected", decision->as_expected);
		for (size_t c = 0; c < table->column_count; c++) {
			cJSON *number = cJSON_CreateObject();

			jcs_add_text(number, "name", table->columns[c].name);
			jcs_add_text(number, "meaning", table->columns[c].meaning);
			jcs_add_text(number, "value", decision->numbers[c]);
			cJSON_AddItemToArray(numbers, number);
		}
		cJSON_AddItemToArray(tree, claim);
	}
	return tree;
}
