#include "cage.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What came after version 1, which headers in use do not know: linking across directories (2), truncating (3), TCP (4), device ioctls (5). */
enum { REFER = 1 << 13, TRUNCATE = 1 << 14, IOCTL_DEVICE = 1 << 15, TCP = 1 << 0 | 1 << 1 };

enum {
	VERSION_1 = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1,
	READ = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
	WRITE = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
	        LANDLOCK_ACCESS_FS_MAKE_DIR | TRUNCATE,
	OF_FILES = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | TRUNCATE,
};

struct rules {
	uint64_t files, net;
};

/* Links on the way are followed: what counts is where a path ends. */
static bool allow(int ruleset, const char *path, uint64_t rights)
{
	struct landlock_path_beneath_attr beneath = {.allowed_access = rights, .parent_fd = open(path, O_PATH | O_CLOEXEC)};
	struct stat st;

	if (beneath.parent_fd < 0)
		return errno == ENOENT || errno == ENOTDIR;
	if (fstat(beneath.parent_fd, &st) == 0 && !S_ISDIR(st.st_mode))
		beneath.allowed_access &= OF_FILES;
	const bool done = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) == 0;

	close(beneath.parent_fd);
	return done;
}

enum status cage_make(const char *const *read, const char *work, struct cage *cage, struct error *err)
{
	const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	const uint64_t known = VERSION_1 | (version >= 2 ? REFER : 0) | (version >= 3 ? TRUNCATE : 0) | (version >= 5 ? IOCTL_DEVICE : 0);
	const struct rules rules = {.files = known, .net = version >= 4 ? TCP : 0};

	cage->ruleset = -1;
	if (version < 1)
		return error_errno(err, R_TLC_CAGE, "", "asking for Landlock");
	cage->ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, version >= 4 ? sizeof rules : offsetof(struct rules, net), 0);
	bool done = cage->ruleset >= 0 && allow(cage->ruleset, work, (READ | WRITE) & known) &&
	            allow(cage->ruleset, "/dev/null", (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | TRUNCATE) & known) &&
	            allow(cage->ruleset, "/dev/urandom", LANDLOCK_ACCESS_FS_READ_FILE);

	for (; done && *read != NULL; read++)
		done = allow(cage->ruleset, *read, READ);
	if (done)
		return OK;
	const enum status status = error_errno(err, R_TLC_CAGE, *read != NULL ? *read : "", "making a ruleset");

	cage_free(cage);
	return status;
}

bool cage_enter(const struct cage *cage)
{
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_landlock_restrict_self, cage->ruleset, 0) == 0;
}

void cage_free(struct cage *cage)
{
	if (cage->ruleset >= 0)
		close(cage->ruleset);
	cage->ruleset = -1;
}
