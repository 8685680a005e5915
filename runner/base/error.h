/*
 * One error, filled by the function that met it and passed up unchanged.
 * Library rooms return a status and fill a struct error; only commands print.
 */
#ifndef PTXSEAL_BASE_ERROR_H
#define PTXSEAL_BASE_ERROR_H

#include <stdbool.h>
#include <stdint.h>

#include "rule.h"

enum { ERROR_FILE_MAX = 1024, ERROR_WHAT_MAX = 1024 };

struct error {
	enum status status;       /* OK while nothing went wrong */
	enum rule rule;           /* the rule that was broken; valid unless status is OK */
	char file[ERROR_FILE_MAX]; /* the file as the user would name it, "" if none */
	bool has_offset;          /* offset says something */
	uint64_t offset;          /* byte offset in file, from 0 */
	uint64_t line;            /* line in file, from 1; 0 if not known */
	char what[ERROR_WHAT_MAX]; /* what was found, one sentence without full stop */
};

/* Fill err (which may be NULL) and return the status the rule stands for. Non-printing bytes in
 * the text are shown escaped, so that a hostile name cannot write to the reader's terminal. */
enum status error_set(struct error *err, enum rule rule, const char *file, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* The same with a byte offset. */
enum status error_at(struct error *err, enum rule rule, const char *file, uint64_t offset,
                     const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* The same with a line. */
enum status error_line(struct error *err, enum rule rule, const char *file, uint64_t line,
                       const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* The same for a failed system call: what was tried, and errno's text (C locale). */
enum status error_errno(struct error *err, enum rule rule, const char *file, const char *tried);

/* Write "ptxseal: FILE: byte N: WHAT (R-XXX-000: RULE); REMEDY\n" to standard error. */
void error_print(const struct error *err);

#endif
