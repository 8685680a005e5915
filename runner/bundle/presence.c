#include "presence.h"

#include <fcntl.h>
#include <sys/stat.h>

static bool has(const struct root *root, const char *path, mode_t type)
{
	struct stat st;

	return fstatat(root->fd, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && (st.st_mode & S_IFMT) == type;
}

bool presence_is_bag(const struct root *root)
{
	return !has(root, "artifact", S_IFDIR) && has(root, "bagit.txt", S_IFREG) && has(root, "data/artifact", S_IFDIR);
}

bool presence_is_none(const struct root *root)
{
	static const char *const tops[] = {"artifact", "tasks", "manifests", "checksums"};
	struct stat st;

	for (size_t i = 0; i < sizeof tops / sizeof *tops; i++)
		if (fstatat(root->fd, tops[i], &st, AT_SYMLINK_NOFOLLOW) == 0)
			return false;
	return true;
}

enum status presence_check(const struct root *root, struct error *err)
{
	if (presence_is_bag(root))
		return error_set(err, R_BND_NONE, root->name, "this is the top of an unpacked bag: the bundle is in its data/");
	return has(root, "artifact", S_IFDIR) ? OK : error_set(err, R_BND_NONE, root->name, "there is no artifact/ in it");
}
