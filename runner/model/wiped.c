#include "wiped.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <curl/curl.h>

/* Before each block stands its size. */
union head {
	size_t size;
	max_align_t align;
};

static void *take(size_t size)
{
	union head *head = size <= SIZE_MAX - sizeof *head ? malloc(sizeof *head + size) : NULL;

	if (head == NULL)
		return NULL;
	head->size = size;
	return head + 1;
}

static void give(void *block)
{
	union head *head = block;

	if (block == NULL)
		return;
	head--;
	explicit_bzero(head, sizeof *head + head->size);
	free(head);
}

static void *take_again(void *block, size_t size)
{
	void *other = take(size);

	if (block == NULL || other == NULL)
		return other;
	const size_t old = ((union head *)block - 1)->size;

	memcpy(other, block, old < size ? old : size);
	give(block);
	return other;
}

static void *take_zeroed(size_t count, size_t size)
{
	void *block = size == 0 || count <= SIZE_MAX / size ? take(count * size) : NULL;

	return block != NULL ? memset(block, 0, count * size) : NULL;
}

static char *take_text(const char *text)
{
	const size_t size = strlen(text) + 1;
	char *copy = take(size);

	return copy != NULL ? memcpy(copy, text, size) : NULL;
}

bool wiped_curl_init(void)
{
	return curl_global_init_mem(CURL_GLOBAL_DEFAULT, take, give, take_again, take_text, take_zeroed) == CURLE_OK;
}
