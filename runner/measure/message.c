#include "message.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "../base/jcs.h"
#include "../base/json.h"

static enum status send_all(int fd, const char *data, size_t len, struct error *err)
{
	while (len > 0) {
		const ssize_t sent = send(fd, data, len, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return error_errno(err, R_WRK_PROTOCOL, "", "sending a message");
		data += sent;
		len -= (size_t)sent;
	}
	return OK;
}

enum status message_send(int fd, const cJSON *message, struct error *err)
{
	struct bytes out = {0};

	bytes_add(&out, "\0\0\0\0", 4);
	enum status status = jcs_write(message, &out, err);

	if (status == OK && out.len - 4 > MESSAGE_BYTES_MAX)
		status = error_set(err, R_WRK_PROTOCOL, "", "a message of %zu bytes", out.len - 4);
	for (unsigned i = 0; i < 4; i++)
		out.data[i] = (char)((out.len - 4) >> 8 * i & 0xFF);
	if (status == OK)
		status = send_all(fd, out.data, out.len, err);
	bytes_free(&out);
	return status;
}

static enum message_end receive_all(int fd, uint64_t deadline, char *data, size_t len, struct error *err)
{
	while (len > 0) {
		struct pollfd waiting = {.fd = fd, .events = POLLIN};
		const uint64_t now = clock_ms();

		if (deadline != 0 && now >= deadline)
			return MESSAGE_LATE;
		const uint64_t left = deadline == 0 ? 1000 : deadline - now;
		const int ready = poll(&waiting, 1, left > 1000 ? 1000 : (int)left);

		if (ready == 0 || (ready < 0 && errno == EINTR))
			continue;
		const ssize_t got = ready < 0 ? -1 : recv(fd, data, len, 0);

		if (got == 0 || (got < 0 && errno == ECONNRESET))
			return MESSAGE_CLOSED;
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			error_errno(err, R_WRK_PROTOCOL, "", "receiving a message");
			return MESSAGE_BAD;
		}
		data += got;
		len -= (size_t)got;
	}
	return MESSAGE_HERE;
}

enum message_end message_receive(int fd, uint64_t deadline, cJSON **message, struct error *err)
{
	unsigned char head[4];
	enum message_end end = receive_all(fd, deadline, (char *)head, sizeof head, err);

	*message = NULL;
	if (end != MESSAGE_HERE)
		return end;
	const size_t len = (size_t)head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16 | (size_t)head[3] << 24;

	if (len > MESSAGE_BYTES_MAX) {
		error_set(err, R_WRK_PROTOCOL, "", "a message of %zu bytes", len);
		return MESSAGE_BAD;
	}
	char *text = mem_alloc(len + 1);

	end = receive_all(fd, deadline, text, len, err);
	if (end == MESSAGE_HERE && json_parse(text, len, "(message)", message, err) != OK)
		end = MESSAGE_BAD;
	free(text);
	return end;
}

void message_put_u64(cJSON *message, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof text, "%" PRIu64, value);
	cJSON_AddStringToObject(message, key, text);
}

static const char file[] = "(message)";

enum status message_text(const cJSON *message, const char *key, const char **value, struct error *err)
{
	return json_text(message, key, file, value, err);
}

enum status message_u64(const cJSON *message, const char *key, uint64_t *value, struct error *err)
{
	const char *text = NULL;
	enum status status = json_text(message, key, file, &text, err);

	if (status != OK)
		return status;
	*value = 0;
	for (const char *at = text; *at != '\0' || at == text; at++)
		if (*at < '0' || *at > '9' || __builtin_mul_overflow(*value, UINT64_C(10), value) ||
		    __builtin_add_overflow(*value, (uint64_t)(*at - '0'), value))
			return error_set(err, R_JSON_FIELD, file, "the field \"%s\" is no 64-bit number", key);
	return OK;
}

enum status message_bool(const cJSON *message, const char *key, bool *value, struct error *err)
{
	const cJSON *item = NULL;
	enum status status = json_child(message, key, JSON_TRUE, file, &item, err);

	*value = cJSON_IsTrue(item);
	return status;
}

enum status message_integer(const cJSON *message, const char *key, int64_t min, int64_t max, int64_t *value, struct error *err)
{
	return json_integer(message, key, min, max, file, value, err);
}

enum status message_double(const cJSON *message, const char *key, double *value, struct error *err)
{
	const cJSON *item = NULL;
	enum status status = json_child(message, key, JSON_NUMBER, file, &item, err);

	if (status != OK)
		return status;
	*value = item->valuedouble;
	return isfinite(*value) && *value >= 0 ? OK : error_set(err, R_JSON_FIELD, file, "the field \"%s\" is negative", key);
}

const char *message_type(const cJSON *message)
{
	const cJSON *type = cJSON_GetObjectItemCaseSensitive(message, "type");

	return cJSON_IsString(type) ? type->valuestring : "";
}
