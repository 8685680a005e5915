/* JSON Lines: one object a line, every line ended by LF, none empty. */
#ifndef PTXSEAL_DERIVE_JSONL_H
#define PTXSEAL_DERIVE_JSONL_H

#include <stdint.h>

#include <cjson/cJSON.h>

#include "../base/error.h"
#include "../base/file.h"

enum { JSONL_FILE_MAX = 64 << 20 };

/* Called with each line's object; anything but OK stops and is passed up. An error without a line gets this one's. */
typedef enum status jsonl_visit(void *context, cJSON *object, const char *file, uint64_t line, struct error *err);

enum status jsonl_read(const struct root *root, const char *file, jsonl_visit *visit, void *context, struct error *err);

#endif
