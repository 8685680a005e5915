#include "tile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tile_path(const struct tile *tile, char out[TILE_PATH_MAX])
{
	unsigned groups[7]; /* 2^63 has 19 digits */
	size_t count = 0;
	uint64_t rest = tile->index;

	do {
		groups[count++] = (unsigned)(rest % 1000);
		rest /= 1000;
	} while (rest > 0);
	int at = tile->level == TILE_ENTRIES ? snprintf(out, TILE_PATH_MAX, "tile/entries")
	                                     : snprintf(out, TILE_PATH_MAX, "tile/%d", tile->level);

	while (count > 0) {
		count--;
		at += snprintf(out + at, (size_t)(TILE_PATH_MAX - at), count > 0 ? "/x%03u" : "/%03u", groups[count]);
	}
	if (tile->width < TILE_WIDTH)
		snprintf(out + at, (size_t)(TILE_PATH_MAX - at), ".p/%u", tile->width);
}

/* A number of at most 19 digits from *text on, and past it. */
static bool take_number(const char **text, uint64_t *number)
{
	size_t digits = strspn(*text, "0123456789");

	if (digits == 0 || digits > 18)
		return false;
	*number = strtoull(*text, NULL, 10);
	*text += digits;
	return true;
}

bool tile_parse(const char *path, struct tile *tile)
{
	static const char entries[] = "tile/entries", tiles[] = "tile/";
	char again[TILE_PATH_MAX];
	const char *at = path;
	uint64_t number;

	*tile = (struct tile){.level = TILE_ENTRIES, .width = TILE_WIDTH};
	if (strncmp(path, entries, strlen(entries)) == 0) {
		at += strlen(entries);
	} else {
		at += strlen(tiles);
		if (strncmp(path, tiles, strlen(tiles)) != 0 || !take_number(&at, &number) || number >= TILE_LEVELS)
			return false;
		tile->level = (int)number;
	}
	/* How many digits and where an x: what we would write says that below. */
	while (*at == '/') {
		at += 1 + (at[1] == 'x');
		if (!take_number(&at, &number) || number > 999 || tile->index > INT64_MAX / 1000 - 1)
			return false;
		tile->index = tile->index * 1000 + number;
	}
	if (strncmp(at, ".p/", 3) == 0) {
		at += 3;
		if (!take_number(&at, &number) || number == 0 || number >= TILE_WIDTH)
			return false;
		tile->width = (unsigned)number;
	}
	if (*at != '\0')
		return false;
	tile_path(tile, again);
	return strcmp(path, again) == 0;
}

/* Hashes, or entries, of the whole level. */
static uint64_t row(int level, uint64_t size)
{
	return level == TILE_ENTRIES ? size : size >> (TILE_HEIGHT * level);
}

uint64_t tile_count(int level, uint64_t size)
{
	uint64_t hashes = row(level, size);

	return hashes / TILE_WIDTH + (hashes % TILE_WIDTH > 0);
}

unsigned tile_width(int level, uint64_t index, uint64_t size)
{
	uint64_t hashes = row(level, size), full = hashes / TILE_WIDTH;

	return index < full ? TILE_WIDTH : index == full ? (unsigned)(hashes % TILE_WIDTH) : 0;
}

void entries_add(struct bytes *bundle, const void *entry, size_t len)
{
	bytes_char(bundle, (char)(len >> 8));
	bytes_char(bundle, (char)(len & 0xFF));
	bytes_add(bundle, entry, len);
}

bool entries_split(const char *bundle, size_t len, unsigned width, struct entry out[TILE_WIDTH])
{
	size_t at = 0;

	for (unsigned i = 0; i < width; i++) {
		if (len - at < 2)
			return false;
		size_t size = (size_t)(unsigned char)bundle[at] << 8 | (unsigned char)bundle[at + 1];

		at += 2;
		if (len - at < size)
			return false;
		out[i] = (struct entry){bundle + at, size};
		at += size;
	}
	return at == len;
}
