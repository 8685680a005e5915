#include "secret.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "../base/file.h"
#include "../base/unescape.h"

enum { FILE_MAX = 64 << 10, PAGE = 4096 };

#define BEARER "Authorization: Bearer "

struct secret {
	size_t len;
	char bearer[sizeof BEARER - 1];
	char text[PAGE - sizeof(size_t) - sizeof BEARER + 1]; /* right behind: both are one text */
};

_Static_assert(sizeof(struct secret) == PAGE && SECRET_MAX < sizeof((struct secret *)NULL)->text, "a key and its end fit the page");

void secret_guard_process(void)
{
	const struct rlimit none = {0, 0};

	/* Each alone has a hole: a core that is piped to a program knows no limit, and some systems dump what is not dumpable. */
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	setrlimit(RLIMIT_CORE, &none);
}

enum status secret_of(const char *text, size_t len, const char *what, struct secret **secret, struct error *err)
{
	*secret = NULL;
	if (len < SECRET_MIN || len > SECRET_MAX)
		return error_set(err, R_KEP_FORM, what, "%zu bytes", len);
	for (size_t i = 0; i < len; i++)
		if (text[i] <= ' ' || text[i] > '~')
			return error_at(err, R_KEP_FORM, what, i, "a byte that is not visible ASCII");
	struct secret *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		mem_lacking();
	/* Neither is sure to be allowed; without them the key is as safe as the rest of the memory. */
	mlock(page, PAGE);
	madvise(page, PAGE, MADV_DONTDUMP);
	page->len = len;
	memcpy(page->bearer, BEARER, sizeof page->bearer);
	memcpy(page->text, text, len);
	*secret = page;
	return OK;
}

enum status secret_from_environment(const char *name, struct secret **secret, struct error *err)
{
	char *value = getenv(name);

	*secret = NULL;
	if (value == NULL)
		return error_set(err, R_KEP_MISSING, "", "the environment has no variable '%s'", name);
	char *what = mem_format("variable %s", name);
	const enum status status = secret_of(value, strlen(value), what, secret, err);

	free(what);
	if (status == OK) {
		explicit_bzero(value, strlen(value));
		unsetenv(name);
	}
	return status;
}

enum status secret_from_file(const char *name, struct secret **secret, struct error *err)
{
	struct bytes text = {0};
	enum status status = file_read(name, FILE_MAX, &text, err);

	*secret = NULL;
	if (status == OK)
		status = secret_of(text.data != NULL ? text.data : "", text.data != NULL ? strcspn(text.data, "\r\n") : 0, name, secret, err);
	bytes_wipe(&text);
	return status;
}

void secret_free(struct secret *secret)
{
	if (secret == NULL)
		return;
	explicit_bzero(secret, PAGE);
	munmap(secret, PAGE);
}

const char *secret_text(const struct secret *secret)
{
	return secret->text;
}

const char *secret_bearer(const struct secret *secret)
{
	return (const char *)secret + offsetof(struct secret, bearer);
}

size_t secret_len(const struct secret *secret)
{
	return secret->len;
}

bool secret_in(const struct secret *secret, const char *text, size_t len)
{
	return len > 0 && memmem(text, len, secret->text, secret->len) != NULL;
}

static bool on_text(void *context, const char *text, size_t len)
{
	return secret_in(context, text, len);
}

bool secret_spelled_in(const struct secret *secret, const char *text, size_t len)
{
	int level;

	return unescape_any(text, len, on_text, (void *)(uintptr_t)secret, &level);
}

uint32_t secret_redact(const struct secret *secret, struct bytes *bytes)
{
	struct bytes out = {0};
	const char *from = bytes->data, *found;
	size_t left = bytes->len;
	uint32_t count = 0;

	while (left > 0 && (found = memmem(from, left, secret->text, secret->len)) != NULL) {
		bytes_add(&out, from, (size_t)(found - from));
		bytes_text(&out, SECRET_MARK);
		left -= (size_t)(found - from) + secret->len;
		from = found + secret->len;
		count++;
	}
	if (count == 0)
		return 0;
	bytes_add(&out, from, left);
	bytes_wipe(bytes);
	*bytes = out;
	return count;
}

void bytes_wipe(struct bytes *bytes)
{
	if (bytes->data != NULL)
		explicit_bzero(bytes->data, bytes->room);
	bytes_free(bytes);
}
