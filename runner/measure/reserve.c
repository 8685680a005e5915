#include "reserve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../bundle/ledger.h"
#include "../bundle/replays.h"

/* One directory after the other. */
static enum status make(const struct root *root, const char *directory, struct error *err)
{
	enum status status = OK;

	for (const char *slash = strchr(directory, '/'); status == OK; slash = strchr(slash + 1, '/')) {
		char *part = slash != NULL ? mem_textn(directory, (size_t)(slash - directory)) : mem_text(directory);

		if (mkdirat(root->fd, part, 0777) != 0 && errno != EEXIST)
			status = error_errno(err, R_IO_WRITE, part, "cannot make the directory");
		free(part);
		if (slash == NULL)
			break;
	}
	return status;
}

static enum status take(const struct root *root, const char *directory, int *fd, struct error *err)
{
	enum status status = make(root, directory, err);

	if (status != OK)
		return status;
	*fd = openat(root->fd, directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (*fd < 0)
		return error_errno(err, R_IO_WRITE, directory, "cannot open the directory");
	if (flock(*fd, LOCK_EX | LOCK_NB) != 0)
		return errno == EWOULDBLOCK ? error_set(err, R_RPL_BUSY, directory, "another replay is writing the run of this name")
		                            : error_errno(err, R_IO_WRITE, directory, "cannot lock the directory");
	/* Whether files may be made in it shows by making one; the kernel alone knows of quotas, read-only mounts and permissions. */
	const int probe = openat(*fd, ".probe", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (probe < 0)
		return error_errno(err, R_IO_WRITE, directory, "cannot write into the directory");
	close(probe);
	unlinkat(*fd, ".probe", 0);
	return OK;
}

enum status reservations_add(struct reservations *reservations, const struct root *root, const char *run, struct error *err)
{
	struct file_list list = {0};
	struct reservation made = {.directory = mem_format(REPLAY_DIRECTORY "/%s", run), .fd = -1};
	char *ledger = mem_format(LEDGER_DIRECTORY "/%s", run);
	enum status status = OK;

	reservations->root = root;
	if (root_has(root, ledger))
		status = error_set(err, R_RPL_NAME, ledger, "a run of this name is there already");
	free(ledger);
	if (status == OK)
		status = take(root, made.directory, &made.fd, err);
	if (status == OK)
		status = root_list(root, made.directory, &list, err);
	if (status == OK && list.count > 0)
		status = error_set(err, R_RPL_NAME, made.directory, "records stand there already, and no run of this name");
	file_list_free(&list);
	if (status != OK) {
		if (made.fd >= 0)
			close(made.fd);
		free(made.directory);
		return status;
	}
	reservations->at = mem_array(reservations->at, reservations->count + 1, sizeof *reservations->at);
	reservations->at[reservations->count++] = made;
	return OK;
}

void reservations_free(struct reservations *reservations)
{
	for (size_t i = 0; i < reservations->count; i++) {
		/* Either fails where something stands in it. */
		unlinkat(reservations->root->fd, reservations->at[i].directory, AT_REMOVEDIR);
		unlinkat(reservations->root->fd, REPLAY_DIRECTORY, AT_REMOVEDIR);
		close(reservations->at[i].fd);
		free(reservations->at[i].directory);
	}
	free(reservations->at);
	*reservations = (struct reservations){0};
}
