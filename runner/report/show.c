#include "show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../bundle/ledger.h"
#include "html.h"

enum { SHOWN_MAX = 64, TEXT_MAX = 4 << 10 };

/* The number that a record writes, and how it writes it; false if it is none. */
static bool number_of(const cJSON *item, double *value, char text[SHOWN_MAX])
{
	if (cJSON_IsNumber(item)) {
		*value = item->valuedouble;
		return jcs_number(item->valuedouble, text);
	}
	if (!cJSON_IsString(item) || !decimal_parse(item->valuestring, strlen(item->valuestring), value))
		return false;
	snprintf(text, SHOWN_MAX, "%s", item->valuestring);
	return true;
}

static void not_known(struct bytes *out)
{
	bytes_text(out, "<span class=unknown>not known</span>");
}

static void put(struct bytes *out, const char *recorded, const char *shown)
{
	html_put(out, "<data value=\"%s\">%s</data>", recorded, shown);
}

/* Digits of a whole number in groups of three. */
static void group(const char *digits, char out[SHOWN_MAX])
{
	const size_t len = strspn(digits + (*digits == '-'), "0123456789"), sign = *digits == '-';
	size_t to = 0;

	for (size_t i = 0; i < sign + len && to + 2 < SHOWN_MAX; i++) {
		if (i > sign && (sign + len - i) % 3 == 0)
			out[to++] = ',';
		out[to++] = digits[i];
	}
	out[to] = '\0';
}

void show_decimal(struct bytes *out, const cJSON *item, int digits)
{
	char recorded[SHOWN_MAX], shown[SHOWN_MAX];
	double value;

	if (!number_of(item, &value, recorded)) {
		not_known(out);
		return;
	}
	snprintf(shown, sizeof shown, "%.*g", digits, value);
	put(out, recorded, shown);
}

void show_decimal_3(struct bytes *out, const cJSON *item)
{
	show_decimal(out, item, 3);
}

void show_decimal_4(struct bytes *out, const cJSON *item)
{
	show_decimal(out, item, 4);
}

void show_number(struct bytes *out, uint64_t value)
{
	char digits[SHOWN_MAX], shown[SHOWN_MAX];

	snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
	group(digits, shown);
	put(out, digits, shown);
}

void show_count(struct bytes *out, const cJSON *item)
{
	char recorded[SHOWN_MAX], digits[SHOWN_MAX], shown[SHOWN_MAX];
	double value;

	if (!number_of(item, &value, recorded) || value != floor(value) || fabs(value) > 1e18) {
		show_decimal(out, item, 6);
		return;
	}
	snprintf(digits, sizeof digits, "%.0f", value);
	group(digits, shown);
	put(out, recorded, shown);
}

void show_share(struct bytes *out, const cJSON *item, int digits)
{
	char recorded[SHOWN_MAX], shown[SHOWN_MAX];
	double value;

	if (!number_of(item, &value, recorded)) {
		not_known(out);
		return;
	}
	snprintf(shown, sizeof shown, "%.*g %%", digits, value * 100);
	if (value != 1 && strcmp(shown, "100 %") == 0)
		snprintf(shown, sizeof shown, "%s100 %%", value < 1 ? "< " : "> ");
	put(out, recorded, shown);
}

/* In the largest of the units, each factor times the one before, in which it is 1 at least. */
static void in_unit(struct bytes *out, const cJSON *item, const char *const *units, double factor, int digits)
{
	char recorded[SHOWN_MAX], shown[SHOWN_MAX];
	double value;

	if (!number_of(item, &value, recorded)) {
		not_known(out);
		return;
	}
	while (fabs(value) >= factor && units[1] != NULL) {
		value /= factor;
		units++;
	}
	snprintf(shown, sizeof shown, "%.*g %s", digits, value, *units);
	put(out, recorded, shown);
}

void show_time(struct bytes *out, const cJSON *ns)
{
	static const char *const units[] = {"ns", "µs", "ms", "s", NULL};

	in_unit(out, ns, units, 1000, 5);
}

void show_frequency(struct bytes *out, const cJSON *hz)
{
	static const char *const units[] = {"Hz", "kHz", "MHz", "GHz", NULL};

	in_unit(out, hz, units, 1000, 4);
}

void show_bytes(struct bytes *out, const cJSON *bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", NULL};

	in_unit(out, bytes, units, 1024, 4);
}

void show_text(struct bytes *out, const cJSON *item)
{
	if (!cJSON_IsString(item))
		not_known(out);
	else if (item->valuestring[0] == '\0')
		bytes_text(out, "<span class=unknown>nothing</span>");
	else
		html_text(item->valuestring, strlen(item->valuestring), TEXT_MAX, HTML_ELEMENT, out);
}

void show_truth(struct bytes *out, const cJSON *item)
{
	if (!cJSON_IsBool(item))
		not_known(out);
	else
		put(out, cJSON_IsTrue(item) ? "true" : "false", cJSON_IsTrue(item) ? "yes" : "no");
}

void show_verdict(struct bytes *out, const char *verdict)
{
	static const struct {
		const char *verdict, *kind, *mark;
	} known[] = {{"pass", "good", "✓"}, {"correct", "good", "✓"}, {"clean", "good", "✓"}, {"in force", "good", "✓"}, {"done", "good", "✓"},
	             {"unknown", "open", "?"}, {"skipped", "open", "–"}, {"missing", "open", "–"}, {"infrastructure", "open", "–"}, {"left out", "open", "–"}};

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strcmp(verdict, known[i].verdict) == 0) {
			html_put(out, "<span class=\"verdict %s\"><span aria-hidden=true>%s</span> %s</span>", known[i].kind, known[i].mark, verdict);
			return;
		}
	html_put(out, "<span class=\"verdict bad\"><span aria-hidden=true>✗</span> %s</span>", verdict);
}

void show_hash(struct bytes *out, const char *hex)
{
	html_put(out, "<code class=hash>%s</code>", hex);
}

void show_hashed(struct bytes *out, const cJSON *hex)
{
	if (cJSON_IsString(hex))
		show_hash(out, hex->valuestring);
	else
		not_known(out);
}

void show_any(struct bytes *out, const cJSON *item)
{
	struct bytes text = {0};

	if (item == NULL || cJSON_IsNull(item))
		not_known(out);
	else if (cJSON_IsString(item))
		show_text(out, item);
	else if (cJSON_IsBool(item))
		show_truth(out, item);
	else if (jcs_write(item, &text, NULL) == OK)
		html_text(text.data, text.len, TEXT_MAX, HTML_ELEMENT, out);
	bytes_free(&text);
}

void show_begin(struct bytes *out, const char *name)
{
	html_put(out, "<div><dt>%s</dt><dd>", name);
}

void show_end(struct bytes *out)
{
	bytes_text(out, "</dd></div>\n");
}
