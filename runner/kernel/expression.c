#include "expression.h"

#include <inttypes.h>
#include <string.h>

struct reader {
	const char *text;
	size_t at;
	unsigned depth;
	expression_axis *axis;
	const void *context;
	const char *file;
	struct error *err;
};

static enum status sum(struct reader *reader, uint64_t *value);

static enum status refuse(struct reader *reader, enum rule rule, size_t at, const char *why)
{
	return error_set(reader->err, rule, reader->file, "'%s': %s at character %zu", reader->text, why, at + 1);
}

static char next(struct reader *reader)
{
	while (reader->text[reader->at] == ' ')
		reader->at++;
	return reader->text[reader->at];
}

static enum status expect(struct reader *reader, char wanted)
{
	if (next(reader) != wanted)
		return refuse(reader, R_CAN_EXPRESSION, reader->at, wanted == ')' ? "no closing parenthesis" : "no '(' or ','");
	reader->at++;
	return OK;
}

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

static enum status number(struct reader *reader, uint64_t *value)
{
	const size_t start = reader->at;

	*value = 0;
	for (char c; digit(c = reader->text[reader->at]); reader->at++)
		if (__builtin_mul_overflow(*value, UINT64_C(10), value) ||
		    __builtin_add_overflow(*value, (uint64_t)(c - '0'), value))
			return refuse(reader, R_CAN_RANGE, start, "a number beyond 64 bits");
	return OK;
}

static enum status ceiling(struct reader *reader, uint64_t *value)
{
	uint64_t divisor = 0;
	const size_t start = reader->at;
	enum status status = expect(reader, '(');

	if (status == OK)
		status = sum(reader, value);
	if (status == OK)
		status = expect(reader, ',');
	if (status == OK)
		status = sum(reader, &divisor);
	if (status == OK)
		status = expect(reader, ')');
	if (status != OK)
		return status;
	if (divisor == 0)
		return refuse(reader, R_CAN_RANGE, start, "a division by zero");
	*value = *value / divisor + (*value % divisor != 0);
	return OK;
}

static enum status name(struct reader *reader, uint64_t *value)
{
	const size_t start = reader->at;

	while (letter(reader->text[reader->at]) || digit(reader->text[reader->at]))
		reader->at++;
	const size_t len = reader->at - start;

	if (len == strlen("ceil") && memcmp(reader->text + start, "ceil", len) == 0)
		return ceiling(reader, value);
	if (!reader->axis(reader->context, reader->text + start, len, value))
		return refuse(reader, R_CAN_EXPRESSION, start, "a name that is no axis of the task");
	return OK;
}

static enum status primary(struct reader *reader, uint64_t *value)
{
	const char c = next(reader);

	if (digit(c))
		return number(reader, value);
	if (letter(c))
		return name(reader, value);
	if (c != '(')
		return refuse(reader, R_CAN_EXPRESSION, reader->at, "neither a number, an axis nor a parenthesis");
	reader->at++;
	enum status status = sum(reader, value);

	return status == OK ? expect(reader, ')') : status;
}

static enum status product(struct reader *reader, uint64_t *value)
{
	enum status status = primary(reader, value);

	for (char c; status == OK && ((c = next(reader)) == '*' || c == '/' || c == '%');) {
		const size_t at = reader->at++;
		uint64_t right = 0;

		status = primary(reader, &right);
		if (status != OK)
			return status;
		if (c == '*') {
			if (__builtin_mul_overflow(*value, right, value))
				return refuse(reader, R_CAN_RANGE, at, "a product beyond 64 bits");
			continue;
		}
		if (right == 0)
			return refuse(reader, R_CAN_RANGE, at, "a division by zero");
		*value = c == '/' ? *value / right : *value % right;
	}
	return status;
}

static enum status sum(struct reader *reader, uint64_t *value)
{
	if (++reader->depth > EXPRESSION_DEPTH_MAX)
		return refuse(reader, R_CAN_EXPRESSION, reader->at, "too many parentheses");
	enum status status = product(reader, value);

	for (char c; status == OK && ((c = next(reader)) == '+' || c == '-');) {
		const size_t at = reader->at++;
		uint64_t right = 0;

		status = product(reader, &right);
		if (status != OK)
			return status;
		if (c == '+' ? __builtin_add_overflow(*value, right, value) : __builtin_sub_overflow(*value, right, value))
			return refuse(reader, R_CAN_RANGE, at, c == '+' ? "a sum beyond 64 bits" : "a difference below zero");
	}
	reader->depth--;
	return status;
}

enum status expression_value(const char *text, expression_axis *axis, const void *context, const char *file, uint64_t *value,
                             struct error *err)
{
	struct reader reader = {.text = text, .axis = axis, .context = context, .file = file, .err = err};

	if (strlen(text) > EXPRESSION_BYTES_MAX)
		return error_set(err, R_CAN_EXPRESSION, file, "an expression of %zu characters; at most %d are allowed", strlen(text),
		                 EXPRESSION_BYTES_MAX);
	enum status status = sum(&reader, value);

	if (status == OK && next(&reader) != '\0')
		return refuse(&reader, R_CAN_EXPRESSION, reader.at, "something that does not belong there");
	return status;
}
