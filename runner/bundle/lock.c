#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum status bundle_lock(const struct root *root, int *lock, struct error *err)
{
	/* Opened anew: a lock belongs to an open directory, and root's may be shared. */
	*lock = openat(root->fd, "artifact", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (*lock < 0 && errno == ENOENT)
		return OK;
	if (*lock < 0)
		return error_errno(err, R_IO_OPEN, root->name, "cannot open the directory");
	while (flock(*lock, LOCK_EX) != 0) {
		if (errno == EINTR)
			continue;
		const enum status status = error_errno(err, R_IO_OPEN, root->name, "cannot lock the directory");

		bundle_unlock(*lock);
		*lock = -1;
		return status;
	}
	return OK;
}

enum status bundle_lock_to_begin(const struct root *root, int *lock, struct error *err)
{
	if (mkdirat(root->fd, "artifact", 0777) != 0 && errno != EEXIST) {
		*lock = -1;
		return error_errno(err, R_IO_WRITE, root->name, "cannot make the directory artifact");
	}
	return bundle_lock(root, lock, err);
}

void bundle_unlock(int lock)
{
	if (lock >= 0)
		close(lock);
}
