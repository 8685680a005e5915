/*
 * Strict JSON in. One scanner checks every byte (UTF-8, grammar, duplicate keys, number range,
 * U+0000, depth, size) and reports the byte offset and the rule; cJSON, which is laxer, sees only
 * what has passed. Ledger lines are read straight off the scanner's events, without a tree.
 */
#ifndef PTXSEAL_BASE_JSON_H
#define PTXSEAL_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "error.h"

enum {
	JSON_DEPTH_MAX = 64,
	JSON_SIZE_MAX = 64 << 20, /* one document */
	JSON_VALUES_MAX = 1 << 19, /* one tree: of some 100 bytes each, so 50 MiB, whatever it is read from */
	JSON_NUMBER_BYTES_MAX =
	    63, /* one number as written: what cJSON 1.7.15 takes; any double needs no more than 24 */
};

/* Largest integer a double holds without a gap below it (RFC 7493 section 2.2). */
#define JSON_INTEGER_MAX 9007199254740991LL

enum json_type { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_OBJECT, JSON_ARRAY };

/* A scalar, or the start of an object or array, as the scanner meets it. Text points into the scanner's
 * memory or the document and is valid only during the call. */
struct json_event {
	enum json_type type;
	unsigned depth;  /* 0 = the document's own value */
	const char *key; /* decoded UTF-8, NULL in arrays and at depth 0 */
	size_t key_len;
	const char *text; /* JSON_STRING: decoded UTF-8; JSON_NUMBER: the literal as written */
	size_t text_len;
	uint64_t offset; /* of the value's first byte */
};

/* Called for every value in document order; anything but OK stops the scan and is passed up (fill err). */
typedef enum status json_visit(void *context, const struct json_event *event, struct error *err);

/* file is for messages; base_offset is added to every offset reported (a line inside a larger file). visit
 * may be NULL. A duplicate key in an object of more than 24 keys is reported when the object closes, that is,
 * after its events. Apart from such documents, and from those of more than 1 KiB with escapes, nothing is
 * allocated. Like all that reads or writes numbers here, it relies on LC_NUMERIC being "C", which it is: the
 * program never calls setlocale. */
enum status json_scan(const char *text, size_t len, const char *file, uint64_t base_offset, json_visit *visit,
		      void *context, struct error *err);

/* Check and build a tree of at most JSON_VALUES_MAX values; cJSON_Delete(*tree). *tree is NULL unless OK is returned. */
enum status json_parse(const char *text, size_t len, const char *file, cJSON **tree, struct error *err);

/*
 * Fields of a record. Names are case-sensitive. Each fills err with R_JSON_FIELD, the file, and which field
 * of which kind was expected. What they hand out belongs to the tree.
 */
enum status json_text(const cJSON *object, const char *key, const char *file, const char **out,
		      struct error *err);
/* Integer in [min, max] (within +-JSON_INTEGER_MAX). */
enum status json_integer(const cJSON *object, const char *key, int64_t min, int64_t max, const char *file,
			 int64_t *out, struct error *err);
/* JSON_TRUE and JSON_FALSE both ask for either of them. */
enum status json_child(const cJSON *object, const char *key, enum json_type type, const char *file,
		       const cJSON **out, struct error *err);
/* No key of object but those in names (NULL-terminated). */
enum status json_only(const cJSON *object, const char *const *names, const char *file, struct error *err);

#endif
