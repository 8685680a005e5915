/* What judge and worker say to each other: a length (4 bytes, little-endian) and so many bytes of canonical JSON, over a socket. Each side takes the
 * other's words as hostile: strictly parsed, of bounded size. */
#ifndef PTXSEAL_MEASURE_MESSAGE_H
#define PTXSEAL_MEASURE_MESSAGE_H

#include <stdint.h>

#include <cjson/cJSON.h>

#include "../base/clock.h"
#include "../base/error.h"

enum { MESSAGE_BYTES_MAX = 32 << 20 };

enum message_end {
	MESSAGE_HERE,
	MESSAGE_CLOSED, /* the other side is gone */
	MESSAGE_LATE,   /* not here at the deadline */
	MESSAGE_BAD     /* no message: err says why */
};

/* R_WRK_PROTOCOL where the other side is gone or the message has no JSON form. */
enum status message_send(int fd, const cJSON *message, struct error *err);
/* deadline: of clock_ms, 0 = none. The caller deletes *message. */
enum message_end message_receive(int fd, uint64_t deadline, cJSON **message, struct error *err);

/* 64-bit numbers go as decimal text: JSON's are doubles. */
void message_put_u64(cJSON *message, const char *key, uint64_t value);
enum status message_u64(const cJSON *message, const char *key, uint64_t *value, struct error *err);
enum status message_text(const cJSON *message, const char *key, const char **value, struct error *err);
enum status message_bool(const cJSON *message, const char *key, bool *value, struct error *err);
enum status message_integer(const cJSON *message, const char *key, int64_t min, int64_t max, int64_t *value, struct error *err);
enum status message_double(const cJSON *message, const char *key, double *value, struct error *err); /* finite, not negative */
const char *message_type(const cJSON *message); /* "" if it has none */

#endif
