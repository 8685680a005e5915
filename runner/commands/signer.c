#include "signer.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <openssl/crypto.h>

#include "../base/file.h"

enum { INTERRUPT = 3 }; /* what Ctrl-C types */

static enum status check_length(const char *name, const struct bytes *out, struct error *err)
{
	if (out->len == 0 || out->len > KEY_PASSPHRASE_MAX)
		return error_set(err, R_KEY_PASSPHRASE, name, "a passphrase has 1 to %d bytes", KEY_PASSPHRASE_MAX);
	return OK;
}

/* The first line. The rest may be for people. */
static enum status from_file(const char *name, struct bytes *out, struct error *err)
{
	struct bytes text = {0};
	enum status status;

	bytes_reserve(&text, 2 * KEY_FILE_MAX); /* at once, so that no copy of it is left behind by growing */
	status = file_read(name, KEY_FILE_MAX, &text, err);
	if (status == OK) {
		bytes_add(out, text.data, strcspn(text.len > 0 ? text.data : "", "\r\n"));
		status = check_length(name, out, err);
	}
	OPENSSL_cleanse(text.data, text.room);
	bytes_free(&text);
	return status;
}

/* One line typed at the terminal while it does not echo. */
static bool read_line(int terminal, struct bytes *out)
{
	char c = '\0';

	out->len = 0;
	while (read(terminal, &c, 1) == 1 && c != '\n' && c != INTERRUPT && out->len <= KEY_PASSPHRASE_MAX)
		bytes_char(out, c);
	return c == '\n';
}

static void say(int terminal, const char *text)
{
	size_t len = strlen(text);

	while (len > 0) {
		ssize_t written = write(terminal, text, len);

		if (written <= 0)
			return; /* nobody there to read it */
		text += written;
		len -= (size_t)written;
	}
}

static bool ask_once(int terminal, const char *before, const char *name, struct bytes *out)
{
	say(terminal, before);
	say(terminal, name);
	say(terminal, ": ");
	bool read = read_line(terminal, out);

	say(terminal, "\n");
	return read;
}

/* The terminal itself, not standard input, which may be something else. */
static enum status from_terminal(const char *name, bool twice, struct bytes *out, struct error *err)
{
	int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	struct termios before, silent;
	struct bytes again = {0};
	enum status status = OK;

	if (terminal < 0 || tcgetattr(terminal, &before) != 0) {
		if (terminal >= 0)
			close(terminal);
		return error_set(err, R_KEY_PASSPHRASE, name, "a passphrase is needed, and there is no terminal to ask for it");
	}
	silent = before;
	/* Ctrl-C is read as a character that ends the line, so that the echo is always put back. */
	silent.c_lflag &= ~(tcflag_t)(ECHO | ISIG);
	silent.c_cc[VEOL] = INTERRUPT;
	bytes_reserve(&again, KEY_PASSPHRASE_MAX + 1);
	if (tcsetattr(terminal, TCSAFLUSH, &silent) != 0)
		status = error_errno(err, R_KEY_PASSPHRASE, name, "cannot switch off the terminal's echo");
	else if (!ask_once(terminal, "Passphrase of ", name, out) ||
	         (twice && !ask_once(terminal, "Once more, of ", name, &again)))
		status = error_set(err, R_KEY_PASSPHRASE, name, "no passphrase was typed");
	else if (twice && (again.len != out->len || CRYPTO_memcmp(again.data, out->data, out->len) != 0))
		status = error_set(err, R_KEY_PASSPHRASE, name, "the two passphrases differ");
	tcsetattr(terminal, TCSAFLUSH, &before);
	close(terminal);
	OPENSSL_cleanse(again.data, again.room);
	bytes_free(&again);
	return status == OK ? check_length(name, out, err) : status;
}

static enum status passphrase(const struct signer *signer, bool twice, struct bytes *out, struct error *err)
{
	const char *environment = getenv("PTXSEAL_PASSPHRASE");

	bytes_reserve(out, KEY_FILE_MAX); /* at once, so that no copy of it is left behind by growing */
	if (signer->passphrase_file != NULL)
		return from_file(signer->passphrase_file, out, err);
	if (environment == NULL)
		return from_terminal(signer->key, twice, out, err);
	if (strlen(environment) > KEY_PASSPHRASE_MAX)
		return error_set(err, R_KEY_PASSPHRASE, signer->key, "a passphrase has 1 to %d bytes", KEY_PASSPHRASE_MAX);
	bytes_text(out, environment);
	return check_length(signer->key, out, err);
}

static enum status ask(void *context, const char *name, struct bytes *out, struct error *err)
{
	const struct signer *signer = context;

	(void)name; /* signer->key, which it is asked for */
	return passphrase(signer, false, out, err);
}

enum status signer_open(const struct signer *signer, struct key *key, struct error *err)
{
	struct signer own = *signer;

	return key_open_private(signer->key, ask, &own, key, err);
}

enum status signer_new_passphrase(const struct signer *signer, struct bytes *out, struct error *err)
{
	return passphrase(signer, true, out, err);
}
