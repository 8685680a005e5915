#include "swhid.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/evp.h>

enum { GIT_HASH = 20, READ_SIZE = 64 << 10 };

struct git_hash {
	uint8_t byte[GIT_HASH];
};

/* SHA-1 of "TYPE SIZE\0" and what follows: a git object's name. Started here; fed and ended by the caller. */
static EVP_MD_CTX *start(const char *type, uint64_t size)
{
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	char head[64];
	int len = snprintf(head, sizeof head, "%s %llu", type, (unsigned long long)size);

	if (context == NULL || EVP_DigestInit_ex(context, EVP_sha1(), NULL) != 1 ||
	    EVP_DigestUpdate(context, head, (size_t)len + 1) != 1) {
		EVP_MD_CTX_free(context);
		return NULL;
	}
	return context;
}

/* False where libcrypto fails, or has no SHA-1. */
static bool end(EVP_MD_CTX *context, struct git_hash *hash)
{
	bool good = context != NULL && EVP_DigestFinal_ex(context, hash->byte, NULL) == 1;

	EVP_MD_CTX_free(context);
	return good;
}

static enum status crypto_error(struct error *err)
{
	return error_set(err, R_KEY_CRYPTO, "", "SHA-1, which git names objects with, is not to be had");
}

static enum status hash_file(const struct root *root, const char *path, struct git_hash *hash, bool *executable,
                             struct error *err)
{
	char *buffer;
	struct stat st;
	uint64_t size, left;
	int fd;
	enum status status = root_open_file(root, path, &fd, &size, err);

	if (status != OK)
		return status;
	EVP_MD_CTX *context = start("blob", size);

	buffer = mem_alloc(READ_SIZE);
	*executable = fstat(fd, &st) == 0 && (st.st_mode & S_IXUSR) != 0;
	for (left = size; left > 0 && context != NULL && status == OK;) {
		ssize_t got = read(fd, buffer, READ_SIZE);

		if (got < 0 && errno != EINTR)
			status = error_errno(err, R_IO_READ, path, "cannot read the file");
		else if (got == 0 || (got > 0 && (uint64_t)got > left))
			status = error_set(err, R_IO_CHANGED, path, "its size changed while it was read");
		else if (got > 0) {
			left -= (uint64_t)got;
			if (EVP_DigestUpdate(context, buffer, (size_t)got) != 1)
				status = crypto_error(err);
		}
	}
	close(fd);
	free(buffer);
	if (!end(context, hash) && status == OK)
		status = crypto_error(err);
	return status;
}

/* The sorted list of everything, and how far it is used up. */
struct walk {
	const struct root *root;
	const struct file_list *list;
	size_t at;
};

/* One entry of a tree: "MODE NAME\0" and the hash, sorted as if a directory's name ended in '/'. */
struct tree_entry {
	char *sort; /* the name; of a directory with '/' */
	struct git_hash hash;
	bool directory, executable;
};

struct tree {
	struct tree_entry *at;
	size_t count;
};

static int by_sort(const void *a, const void *b)
{
	return strcmp(((const struct tree_entry *)a)->sort, ((const struct tree_entry *)b)->sort);
}

static bool hash_tree(struct tree *tree, struct git_hash *hash)
{
	struct bytes body = {0};

	if (tree->count > 1)
		qsort(tree->at, tree->count, sizeof *tree->at, by_sort);
	for (size_t i = 0; i < tree->count; i++) {
		const struct tree_entry *entry = &tree->at[i];

		bytes_format(&body, "%s %.*s", entry->directory ? "40000" : entry->executable ? "100755" : "100644",
		             (int)(strlen(entry->sort) - entry->directory), entry->sort);
		bytes_char(&body, '\0');
		bytes_add(&body, entry->hash.byte, GIT_HASH);
	}
	EVP_MD_CTX *context = start("tree", body.len);
	bool good = context != NULL && EVP_DigestUpdate(context, body.data != NULL ? body.data : "", body.len) == 1;

	good = end(context, hash) && good;
	bytes_free(&body);
	return good;
}

static void tree_free(struct tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		free(tree->at[i].sort);
	free(tree->at);
}

static void add(struct tree *tree, const char *name, const struct tree_entry *entry)
{
	tree->at = mem_array(tree->at, tree->count + 1, sizeof *tree->at);
	tree->at[tree->count] = *entry;
	tree->at[tree->count++].sort = mem_format("%s%s", name, entry->directory ? "/" : "");
}

/* What git add refuses, and what its servers do (git's path.c, is_ntfs_dotgit): .git in any case, its short name, and what Windows takes for either. */
static bool is_git_name(const char *name)
{
	const size_t len = strncasecmp(name, ".git", 4) == 0 ? 4 : strncasecmp(name, "git~1", 5) == 0 ? 5 : 0;

	return len > 0 && (name[len + strspn(name + len, " .")] == '\0' || name[len + strspn(name + len, " .")] == ':');
}

/* Everything beneath prefix ("" or ending in '/'), which the walk has reached. *empty: there is no file in it. */
static enum status walk_directory(struct walk *walk, const char *prefix, struct git_hash *hash, bool *empty,
                                  struct error *err)
{
	struct tree tree = {0};
	enum status status = OK;

	while (status == OK && walk->at < walk->list->count &&
	       strncmp(walk->list->at[walk->at].path, prefix, strlen(prefix)) == 0) {
		const struct file_entry *entry = &walk->list->at[walk->at++];
		const char *name = entry->path + strlen(prefix);
		struct tree_entry own = {.directory = entry->kind == FILE_DIRECTORY};
		bool nothing = false;

		if (entry->kind == FILE_OTHER || is_git_name(name)) {
			status = error_set(err, R_SWH_KIND, entry->path, "%s",
			                   entry->kind == FILE_OTHER ? "a symbolic link, FIFO, socket or device"
			                                             : "git keeps nothing of that name");
		} else if (own.directory) {
			char *inside = mem_format("%s/", entry->path);

			status = walk_directory(walk, inside, &own.hash, &nothing, err);
			free(inside);
		} else {
			status = hash_file(walk->root, entry->path, &own.hash, &own.executable, err);
		}
		if (status == OK && !nothing)
			add(&tree, name, &own);
	}
	*empty = tree.count == 0;
	if (status == OK && !hash_tree(&tree, hash))
		status = crypto_error(err);
	tree_free(&tree);
	return status;
}

/* The directory of each entry right before what is in it: the bytes' own order would put "a-b" between "a" and "a/c". */
static int by_parts(const void *a, const void *b)
{
	const char *x = ((const struct file_entry *)a)->path, *y = ((const struct file_entry *)b)->path;

	while (*x != '\0' && *x == *y) {
		x++;
		y++;
	}
	int left = *x == '/' ? 1 : (unsigned char)*x + (*x != '\0'), right = *y == '/' ? 1 : (unsigned char)*y + (*y != '\0');

	return left - right;
}

/* What is in the named directories, and they themselves. */
static enum status list_named(const struct root *root, const char *const *names, struct file_list *all, struct error *err)
{
	enum status status = OK;

	for (const char *const *name = names; *name != NULL && status == OK; name++) {
		struct file_list part = {0};

		status = root_list(root, *name, &part, err);
		if (status != OK || part.count == 0)
			continue;
		all->at = mem_array(all->at, all->count + part.count + 1, sizeof *all->at);
		all->at[all->count++] = (struct file_entry){.path = mem_text(*name), .kind = FILE_DIRECTORY};
		memcpy(all->at + all->count, part.at, part.count * sizeof *part.at);
		all->count += part.count;
		free(part.at); /* the paths moved */
	}
	return status;
}

enum status swhid_of(const struct root *root, const char *const *names, char out[SWHID_TEXT + 1], struct error *err)
{
	struct file_list all = {0};
	struct git_hash hash;
	bool empty = false;
	enum status status = list_named(root, names, &all, err);

	if (all.count > 1)
		qsort(all.at, all.count, sizeof *all.at, by_parts);
	struct walk walk = {.root = root, .list = &all};

	if (status == OK)
		status = walk_directory(&walk, "", &hash, &empty, err);
	if (status == OK && empty)
		status = error_set(err, R_SUM_EMPTY, root->name, "it has no files");
	if (status == OK) {
		memcpy(out, "swh:1:dir:", 10);
		hex_encode(hash.byte, GIT_HASH, out + 10);
	}
	file_list_free(&all);
	return status;
}
