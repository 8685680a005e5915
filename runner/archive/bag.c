#include "bag.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <openssl/evp.h>

#include "bagtext.h"

enum { DECLARATION_MAX = 4096, BLOCK_BYTES = 256 << 10, ALGORITHMS = 6 };

static const struct algorithm {
	const char *name; /* in a manifest's file name, and to OpenSSL */
	size_t bytes;
} algorithms[ALGORITHMS] = {{"md5", 16}, {"sha1", 20}, {"sha224", 28}, {"sha256", 32}, {"sha384", 48}, {"sha512", 64}};

struct entry {
	char *path; /* decoded, beneath the bag */
	uint64_t line;
	uint8_t sum[BAG_SUM_MAX];
};

struct manifest {
	const char *file;
	size_t algorithm; /* of algorithms */
	bool tags;        /* a tagmanifest */
	struct entry *at; /* sorted by path, none twice */
	size_t count;
	size_t room;
};

struct bag {
	const struct root *root;
	const struct bag_options *options;
	struct bag_report *report;
	struct file_list list; /* everything in it, sorted */
	struct bag_version version;
	const char *encoding;
	struct manifest manifests[BAG_MANIFESTS_MAX];
	size_t count;
};

static const struct file_entry *find_file(const struct bag *bag, const char *path)
{
	size_t low = 0, high = bag->list.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(bag->list.at[middle].path, path);

		if (order == 0)
			return &bag->list.at[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static bool is_there(const struct bag *bag, const char *path)
{
	const struct file_entry *file = find_file(bag, path);

	return file != NULL && file->kind == FILE_REGULAR;
}

static int entry_by_path(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = strcmp(x->path, y->path);

	return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

static const struct entry *find_entry(const struct manifest *manifest, const char *path)
{
	struct entry key = {.path = (char *)path};
	size_t low = 0, high = manifest->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(manifest->at[middle].path, key.path);

		if (order == 0)
			return &manifest->at[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static void tell_line(struct findings *findings, enum rule rule, const char *file, uint64_t line, const char *what, const char *path)
{
	findings_add(findings, rule, file, "%s '%s'", what, path);
	findings->at[findings->count - 1].line = line;
}

static bool is_payload(const char *path)
{
	return strncmp(path, "data/", 5) == 0;
}

/* Read a tag file and bring it to UTF-8. False (told) if that cannot be. */
static bool read_tag(struct bag *bag, const char *file, struct bytes *text)
{
	struct bytes raw = {0};
	struct error err;
	bool good = root_read(bag->root, file, BAG_TAG_MAX, &raw, &err) == OK;

	if (!good)
		findings_error(&bag->report->findings, file, &err);
	else if (!bag_decode(bag->encoding, raw.data, raw.len, text)) {
		findings_add(&bag->report->findings, R_BAG_ENCODING, file, "it is not %s", bag->encoding);
		good = false;
	}
	if (good && strcmp(bag->encoding, "UTF-8") == 0 && raw.len >= 3 && memcmp(raw.data, "\xEF\xBB\xBF", 3) == 0)
		findings_add(&bag->report->doubts, R_BAG_DOUBT, file, "it begins with a byte order mark");
	bytes_free(&raw);
	if (!good)
		bytes_free(text);
	return good;
}

/* bagit.txt. False (told) if there is no going on. */
static bool read_declaration(struct bag *bag)
{
	struct findings *findings = &bag->report->findings;
	struct bytes text = {0};
	struct error err;
	bool known = false, good = false;

	if (!is_there(bag, "bagit.txt"))
		findings_add(findings, R_BAG_DECLARATION, "bagit.txt", "it is not there");
	else if (root_read(bag->root, "bagit.txt", DECLARATION_MAX, &text, &err) != OK)
		findings_error(findings, "bagit.txt", &err);
	else if (!bag_declaration(text.data, text.len, &bag->version, &bag->encoding, &known))
		findings_add(findings, R_BAG_DECLARATION, "bagit.txt", "it has another form");
	else if (!(bag->version.major == 1 && bag->version.minor == 0) &&
	         !(bag->version.major == 0 && bag->version.minor >= 93 && bag->version.minor <= 97))
		findings_add(findings, R_BAG_VERSION, "bagit.txt", "version %u.%u", bag->version.major, bag->version.minor);
	else if (!known)
		findings_add(findings, R_BAG_ENCODING, "bagit.txt", "its encoding is not one that is read here");
	else
		good = true;
	if (good)
		snprintf(bag->report->version, sizeof bag->report->version, "%u.%u", bag->version.major % 10, bag->version.minor % 100);
	bytes_free(&text);
	return good;
}

/* The path that a line means, or NULL (told); free it. */
static char *path_of(struct bag *bag, const char *file, uint64_t line, const char *raw, size_t len, bool payload)
{
	struct bag_report *report = bag->report;
	struct bytes path = {0};
	bool rfc = bag_is_rfc(bag->version);

	if (!bag_decode_path(raw, len, rfc, &path))
		tell_line(&report->doubts, R_BAG_DOUBT, file, line, "a % that encodes nothing in", path.data);
	if (len > 2 && raw[0] == '.' && raw[1] == '/')
		tell_line(&report->doubts, R_BAG_DOUBT, file, line, "a leading ./ before", path.data);
	char *literal = mem_textn(raw, len);

	/* Before RFC 8493 not all programs encoded. */
	if (!rfc && memchr(raw, '\0', len) == NULL && !is_there(bag, path.data) && is_there(bag, literal)) {
		path.len = 0;
		bytes_text(&path, literal);
	}
	free(literal);
	if (path_valid(path.data, path.len) && is_payload(path.data) == payload)
		return path.data;
	tell_line(&report->findings, R_BAG_PATH, file, line, payload ? "not a path of data/:" : "not a path of a tag file:", path.data);
	bytes_free(&path);
	return NULL;
}

static void add_entry(struct manifest *manifest, char *path, uint64_t line, const uint8_t *sum)
{
	if (manifest->count == manifest->room) {
		manifest->room = manifest->room == 0 ? 64 : manifest->room * 2;
		manifest->at = mem_array(manifest->at, manifest->room, sizeof *manifest->at);
	}
	struct entry *entry = &manifest->at[manifest->count++];

	*entry = (struct entry){.path = path, .line = line};
	memcpy(entry->sum, sum, sizeof entry->sum);
}

/* Sort, and leave one entry a file. */
static void settle(struct bag *bag, struct manifest *manifest)
{
	size_t kept = 0;

	if (manifest->count > 1)
		qsort(manifest->at, manifest->count, sizeof *manifest->at, entry_by_path);
	for (size_t i = 0; i < manifest->count; i++) {
		struct entry *entry = &manifest->at[i], *before = kept > 0 ? &manifest->at[kept - 1] : NULL;

		if (before == NULL || strcmp(before->path, entry->path) != 0) {
			manifest->at[kept++] = *entry;
			continue;
		}
		/* The drafts said nothing of a line that stands there twice. */
		if (bag_is_rfc(bag->version) || memcmp(before->sum, entry->sum, sizeof entry->sum) != 0)
			tell_line(&bag->report->findings, R_BAG_TWICE, manifest->file, entry->line, "again", entry->path);
		else
			tell_line(&bag->report->doubts, R_BAG_DOUBT, manifest->file, entry->line, "again", entry->path);
		free(entry->path);
	}
	manifest->count = kept;
}

static void read_lines(struct bag *bag, struct manifest *manifest, const struct bytes *text)
{
	size_t at = 0, len, bytes = algorithms[manifest->algorithm].bytes;
	const char *line;

	for (uint64_t number = 1; bag_next_line(text, &at, &line, &len); number++) {
		struct bag_line read;

		if (!bag_read_line(line, len, bytes, &read)) {
			findings_add(&bag->report->findings, R_BAG_LINE, manifest->file, "it is none");
			bag->report->findings.at[bag->report->findings.count - 1].line = number;
			continue;
		}
		char *path = path_of(bag, manifest->file, number, read.path, read.path_len, !manifest->tags);

		if (path == NULL)
			continue;
		if (read.starred)
			tell_line(&bag->report->doubts, R_BAG_DOUBT, manifest->file, number, "a * before", path);
		add_entry(manifest, path, number, read.sum);
	}
}

static void read_manifest(struct bag *bag, const char *file, const char *algorithm, size_t len, bool tags)
{
	struct bytes text = {0};
	size_t i = 0;

	while (i < ALGORITHMS && !(strlen(algorithms[i].name) == len && strncasecmp(algorithms[i].name, algorithm, len) == 0))
		i++;
	if (i == ALGORITHMS || bag->count == BAG_MANIFESTS_MAX || (bag->options->sha256 != NULL && strcmp(algorithms[i].name, "sha256") != 0)) {
		findings_add(&bag->report->findings, R_BAG_ALGORITHM, file, "it cannot be checked here");
		return;
	}
	if (!read_tag(bag, file, &text))
		return;
	struct manifest *manifest = &bag->manifests[bag->count++];

	*manifest = (struct manifest){.file = file, .algorithm = i, .tags = tags};
	read_lines(bag, manifest, &text);
	settle(bag, manifest);
	bytes_free(&text);
}

/* Manifests stand at the top: manifest-ALGORITHM.txt and tagmanifest-ALGORITHM.txt. */
static void read_manifests(struct bag *bag)
{
	static const char *const heads[] = {"manifest-", "tagmanifest-"};

	for (size_t i = 0; i < bag->list.count; i++) {
		const char *path = bag->list.at[i].path;
		size_t len = strlen(path);

		for (size_t h = 0; h < 2; h++) {
			size_t head = strlen(heads[h]);

			if (bag->list.at[i].kind == FILE_REGULAR && strchr(path, '/') == NULL && len > head + 4 && strncmp(path, heads[h], head) == 0 &&
			    strcmp(path + len - 4, ".txt") == 0)
				read_manifest(bag, path, path + head, len - head - 4, h == 1);
		}
	}
}

static bool is_listed(const struct bag *bag, const char *path, bool everywhere)
{
	size_t lists = 0, found = 0;

	for (size_t i = 0; i < bag->count; i++) {
		if (bag->manifests[i].tags)
			continue;
		lists++;
		found += find_entry(&bag->manifests[i], path) != NULL;
	}
	return everywhere ? found == lists : found > 0;
}

/* Section 2.2.3: URL, length or -, path. */
static void read_fetch(struct bag *bag)
{
	struct bytes text = {0};
	size_t at = 0, len;
	const char *line;

	if (!is_there(bag, "fetch.txt") || !read_tag(bag, "fetch.txt", &text))
		return;
	for (uint64_t number = 1; bag_next_line(&text, &at, &line, &len); number++) {
		const char *end = line + len, *part = line;
		size_t parts[2];

		for (size_t i = 0; i < 2; i++) {
			const char *start = part;

			while (part < end && *part != ' ' && *part != '\t')
				part++;
			parts[i] = (size_t)(part - start);
			while (part < end && (*part == ' ' || *part == '\t'))
				part++;
			if (i == 1 && !(parts[1] == 1 && *start == '-'))
				for (const char *c = start; c < start + parts[1]; c++)
					parts[1] = *c >= '0' && *c <= '9' ? parts[1] : 0;
		}
		if (parts[0] == 0 || parts[1] == 0 || part == end || memchr(line, ':', parts[0]) == NULL) {
			findings_add(&bag->report->findings, R_BAG_FETCH, "fetch.txt", "it is none");
			bag->report->findings.at[bag->report->findings.count - 1].line = number;
			continue;
		}
		char *path = path_of(bag, "fetch.txt", number, part, (size_t)(end - part), true);

		if (path != NULL && !is_listed(bag, path, bag_is_rfc(bag->version)))
			tell_line(&bag->report->findings, R_BAG_FETCH, "fetch.txt", number, "no manifest lists", path);
		free(path);
	}
	bytes_free(&text);
}

/* BYTES.FILES, section 2.2.2. */
static void check_oxum(struct bag *bag, const char *file, uint64_t line, const char *value, size_t len)
{
	char *said = mem_textn(value, len);
	char *is = mem_format("%llu.%llu", (unsigned long long)bag->report->bytes, (unsigned long long)bag->report->files);

	if (strcmp(said, is) != 0) {
		findings_add(&bag->report->findings, R_BAG_OXUM, file, "it says '%s', it is %s", said, is);
		bag->report->findings.at[bag->report->findings.count - 1].line = line;
	}
	free(said);
	free(is);
}

static void read_info(struct bag *bag, const char *file, bool whole)
{
	static const char oxum[] = "Payload-Oxum";
	struct bytes text = {0};
	size_t at = 0, len;
	const char *line;

	if (!is_there(bag, file) || !read_tag(bag, file, &text))
		return;
	for (uint64_t number = 1; bag_next_line(&text, &at, &line, &len); number++) {
		const char *colon = memchr(line, ':', len), *value;
		bool goes_on = len > 0 && (line[0] == ' ' || line[0] == '\t');
		size_t label = colon != NULL ? (size_t)(colon - line) : 0;

		while (label > 0 && (line[label - 1] == ' ' || line[label - 1] == '\t'))
			label--;
		if ((goes_on && number > 1) || (len == 0 && !bag_is_rfc(bag->version)))
			continue;
		if (label == 0 || goes_on) {
			findings_add(&bag->report->findings, R_BAG_INFO, file, "it has another form");
			bag->report->findings.at[bag->report->findings.count - 1].line = number;
			continue;
		}
		/* What is not there is told already, and counts for nothing. */
		if (!whole || label != strlen(oxum) || strncasecmp(line, oxum, label) != 0)
			continue;
		for (value = colon + 1, len -= (size_t)(value - line); len > 0 && (*value == ' ' || *value == '\t'); len--)
			value++;
		while (len > 0 && (value[len - 1] == ' ' || value[len - 1] == '\t'))
			len--;
		check_oxum(bag, file, number, value, len);
	}
	bytes_free(&text);
}

/* Every listed file is there, and every file of data/ is listed. False if one is missing. */
static bool check_presence(struct bag *bag)
{
	struct findings *findings = &bag->report->findings;
	bool whole = true;

	for (size_t m = 0; m < bag->count; m++) {
		for (size_t i = 0; i < bag->manifests[m].count; i++) {
			const struct entry *entry = &bag->manifests[m].at[i];
			bool told = false;

			for (size_t before = 0; before < m; before++)
				told = told || find_entry(&bag->manifests[before], entry->path) != NULL;
			if (is_there(bag, entry->path))
				continue;
			whole = whole && !is_payload(entry->path);
			if (!told)
				findings_add(findings, R_BAG_MISSING, entry->path, "%s lists it", bag->manifests[m].file);
		}
	}
	for (size_t i = 0; i < bag->list.count; i++) {
		const struct file_entry *file = &bag->list.at[i];

		if (file->kind == FILE_REGULAR && is_payload(file->path) && !is_listed(bag, file->path, bag_is_rfc(bag->version)))
			findings_add(findings, R_BAG_EXTRA, file->path, "%s",
			             bag_is_rfc(bag->version) ? "not every manifest lists it" : "no manifest lists it");
	}
	return whole;
}

static int by_folded_path(const void *a, const void *b)
{
	const struct entry *const *x = a, *const *y = b;
	int order = strcasecmp((*x)->path, (*y)->path);

	return order != 0 ? order : strcmp((*x)->path, (*y)->path);
}

/* What file systems and programs read in more than one way. */
static void check_doubts(struct bag *bag)
{
	static const char *const special[] = {".DS_Store", "Thumbs.db", "desktop.ini"};
	struct findings *doubts = &bag->report->doubts;

	for (size_t m = 0; m < bag->count; m++) {
		const struct manifest *manifest = &bag->manifests[m];
		const struct entry **order = mem_array(NULL, manifest->count, sizeof *order);

		for (size_t i = 0; i < manifest->count; i++) {
			const char *slash = strrchr(manifest->at[i].path, '/');

			order[i] = &manifest->at[i];
			for (size_t s = 0; s < sizeof special / sizeof special[0]; s++)
				if (slash != NULL && strcmp(slash + 1, special[s]) == 0)
					tell_line(doubts, R_BAG_DOUBT, manifest->file, manifest->at[i].line, "a desktop makes and removes", manifest->at[i].path);
		}
		if (manifest->count > 1)
			qsort(order, manifest->count, sizeof *order, by_folded_path);
		for (size_t i = 1; i < manifest->count; i++)
			if (strcasecmp(order[i - 1]->path, order[i]->path) == 0)
				tell_line(doubts, R_BAG_DOUBT, manifest->file, order[i]->line, "but for letter case another one is called", order[i]->path);
		free(order);
	}
}

/* The sums of one file by the algorithms asked for; NULL where no context is set. */
struct sums {
	EVP_MD_CTX *contexts[ALGORITHMS];
	uint8_t sums[ALGORITHMS][BAG_SUM_MAX];
};

/* False: OpenSSL will not compute one of them here, as where MD5 is switched off. */
static bool begin_sums(struct sums *sums, const bool wanted[ALGORITHMS])
{
	bool good = true;

	*sums = (struct sums){0};
	for (size_t i = 0; i < ALGORITHMS; i++) {
		if (!wanted[i])
			continue;
		EVP_MD *md = EVP_MD_fetch(NULL, algorithms[i].name, NULL);

		sums->contexts[i] = EVP_MD_CTX_new();
		if (sums->contexts[i] == NULL)
			mem_lacking();
		good = md != NULL && EVP_DigestInit_ex2(sums->contexts[i], md, NULL) == 1 && good;
		EVP_MD_free(md);
	}
	return good;
}

static void end_sums(struct sums *sums)
{
	for (size_t i = 0; i < ALGORITHMS; i++) {
		if (sums->contexts[i] != NULL)
			EVP_DigestFinal_ex(sums->contexts[i], sums->sums[i], NULL);
		EVP_MD_CTX_free(sums->contexts[i]);
	}
}

static enum status hash_file(const struct bag *bag, const char *path, struct sums *sums, uint8_t *block, struct error *err)
{
	uint64_t size;
	int fd;
	enum status status = root_open_file(bag->root, path, &fd, &size, err);

	if (status != OK)
		return status;
	for (;;) {
		ssize_t n = read(fd, block, BLOCK_BYTES);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			status = error_errno(err, R_IO_READ, path, "cannot read the file");
		if (n <= 0)
			break;
		for (size_t i = 0; i < ALGORITHMS; i++)
			if (sums->contexts[i] != NULL)
				EVP_DigestUpdate(sums->contexts[i], block, (size_t)n);
	}
	close(fd);
	return status;
}

/* Is what the manifests say of a file so? */
static void check_file(struct bag *bag, const char *path, uint8_t *block)
{
	const struct entry *entries[BAG_MANIFESTS_MAX];
	bool wanted[ALGORITHMS] = {false}, any = false;
	struct error err;
	struct sums sums;
	enum status status = OK;

	for (size_t m = 0; m < bag->count; m++) {
		entries[m] = find_entry(&bag->manifests[m], path);
		any = any || entries[m] != NULL;
		wanted[bag->manifests[m].algorithm] |= entries[m] != NULL;
	}
	if (!any)
		return;
	if (bag->options->sha256 != NULL) {
		const struct sha256 *known = bag->options->sha256(bag->options->context, path);

		sums = (struct sums){0};
		for (size_t i = 0; known != NULL && i < ALGORITHMS; i++)
			if (wanted[i])
				memcpy(sums.sums[i], known->byte, sizeof known->byte);
	} else {
		status = begin_sums(&sums, wanted) ? hash_file(bag, path, &sums, block, &err)
		                                   : error_set(&err, R_BAG_ALGORITHM, path, "OpenSSL will not compute one of its sums here");
		end_sums(&sums);
	}
	if (status != OK)
		findings_error(&bag->report->findings, path, &err);
	for (size_t m = 0; m < bag->count && status == OK; m++) {
		size_t algorithm = bag->manifests[m].algorithm;

		if (entries[m] != NULL && memcmp(sums.sums[algorithm], entries[m]->sum, algorithms[algorithm].bytes) != 0)
			findings_add(&bag->report->findings, R_BAG_HASH, path, "%s gives another one", bag->manifests[m].file);
	}
}

static void check_list(struct bag *bag)
{
	for (size_t i = 0; i < bag->list.count; i++) {
		const struct file_entry *file = &bag->list.at[i];

		if (file->fault != NULL)
			findings_error(&bag->report->findings, file->path, file->fault);
		if (file->kind == FILE_OTHER)
			findings_add(&bag->report->findings, R_IO_KIND, file->path, "a symbolic link, FIFO, socket or device");
		if (file->kind == FILE_REGULAR && is_payload(file->path)) {
			bag->report->files++;
			bag->report->bytes += file->size;
		}
	}
}

static void check_all(struct bag *bag)
{
	const struct file_entry *data = find_file(bag, "data");
	uint8_t *block;
	size_t lists = 0;

	read_manifests(bag);
	for (size_t i = 0; i < bag->count; i++)
		lists += !bag->manifests[i].tags;
	if (data == NULL || data->kind != FILE_DIRECTORY)
		findings_add(&bag->report->findings, R_BAG_DATA, "data", "it is not there");
	if (lists == 0)
		findings_add(&bag->report->findings, R_BAG_DATA, "", "no manifest of data/ that can be read");
	read_fetch(bag);
	bool whole = check_presence(bag);

	read_info(bag, "bag-info.txt", whole);
	if (bag->version.major == 0 && bag->version.minor < 96)
		read_info(bag, "package-info.txt", whole);
	check_doubts(bag);
	block = mem_alloc(BLOCK_BYTES);
	for (size_t i = 0; i < bag->list.count; i++)
		if (bag->list.at[i].kind == FILE_REGULAR)
			check_file(bag, bag->list.at[i].path, block);
	free(block);
}

enum status bag_check(const struct root *root, const struct bag_options *options, struct bag_report *report)
{
	struct bag bag = {.root = root, .options = options, .report = report};

	*report = (struct bag_report){0};
	root_list_past(root, "", &bag.list);
	check_list(&bag);
	if (read_declaration(&bag))
		check_all(&bag);
	for (size_t m = 0; m < bag.count; m++) {
		for (size_t i = 0; i < bag.manifests[m].count; i++)
			free(bag.manifests[m].at[i].path);
		free(bag.manifests[m].at);
	}
	file_list_free(&bag.list);
	findings_sort(&report->findings);
	findings_sort(&report->doubts);
	return findings_status(&report->findings);
}

void bag_report_free(struct bag_report *report)
{
	findings_free(&report->findings);
	findings_free(&report->doubts);
	*report = (struct bag_report){0};
}
