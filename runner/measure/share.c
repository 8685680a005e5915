#include "share.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Tensors begin on pages of their own. */
static const uint64_t page = 65536;

static enum status new_memory(const char *name, uint64_t bytes, int *fd, struct error *err)
{
	*fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (*fd < 0)
		return error_errno(err, R_WRK_START, "", "making shared memory");
	if (ftruncate(*fd, (off_t)bytes) == 0)
		return OK;
	const enum status status = error_errno(err, R_WRK_START, "", "sizing shared memory");

	close(*fd);
	*fd = -1;
	return status;
}

static enum status write_at(int fd, uint64_t offset, const void *data, size_t len, struct error *err)
{
	const char *at = data;

	while (len > 0) {
		const ssize_t written = pwrite(fd, at, len, (off_t)offset);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return error_errno(err, R_WRK_START, "", "writing to shared memory");
		at += written;
		offset += (uint64_t)written;
		len -= (size_t)written;
	}
	return OK;
}

enum status package_make(const struct problem *problem, const struct candidate *candidate, const struct bytes *cubin, int *fd,
                         struct error *err)
{
	struct package *head = mem_alloc(sizeof *head);

	head->size = sizeof *head;
	head->problem = *problem;
	if (candidate != NULL) {
		strncpy(head->directory, candidate->directory, sizeof head->directory - 1);
		head->json_bytes = candidate->json.len;
		head->cubin_bytes = cubin->len;
	}
	enum status status = new_memory("ptxseal-package", sizeof *head + head->json_bytes + head->cubin_bytes, fd, err);

	if (status == OK)
		status = write_at(*fd, 0, head, sizeof *head, err);
	if (status == OK && candidate != NULL)
		status = write_at(*fd, sizeof *head, candidate->json.data, candidate->json.len, err);
	if (status == OK && candidate != NULL)
		status = write_at(*fd, sizeof *head + head->json_bytes, cubin->data, cubin->len, err);
	if (status == OK && fcntl(*fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) != 0)
		status = error_errno(err, R_WRK_START, "", "sealing shared memory");
	free(head);
	return status;
}

enum status package_map(int fd, const struct package **package, struct error *err)
{
	struct stat stat;

	if (fstat(fd, &stat) != 0)
		return error_errno(err, R_WRK_START, "", "looking at the package");
	const uint64_t size = (uint64_t)stat.st_size;
	void *memory = size < sizeof **package ? MAP_FAILED : mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);

	if (memory == MAP_FAILED)
		return error_set(err, R_WRK_PROTOCOL, "", "there is no package");
	*package = memory;
	if ((*package)->size != sizeof **package || (*package)->json_bytes > size || (*package)->cubin_bytes > size ||
	    sizeof **package + (*package)->json_bytes + (*package)->cubin_bytes != size)
		return error_set(err, R_WRK_PROTOCOL, "", "the package is of another build");
	return OK;
}

uint64_t exchange_offset(const struct problem *problem, size_t tensor)
{
	uint64_t offset = 0;

	for (size_t i = 0; i < tensor; i++)
		offset += (problem->tensors[i].bytes + page - 1) / page * page;
	return offset;
}

uint64_t exchange_bytes(const struct problem *problem)
{
	return exchange_offset(problem, problem->tensor_count);
}

enum status exchange_make(const struct problem *problem, int *fd, struct error *err)
{
	return new_memory("ptxseal-exchange", exchange_bytes(problem), fd, err);
}

enum status exchange_map(int fd, const struct problem *problem, void **memory, struct error *err)
{
	*memory = mmap(NULL, exchange_bytes(problem), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (*memory != MAP_FAILED)
		return OK;
	*memory = NULL;
	return error_errno(err, R_WRK_START, "", "mapping shared memory");
}
