#include "rebuild.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../bundle/replays.h"
#include "listing.h"
#include "lower.h"

const char *rebuilt_name(enum rebuilt rebuilt)
{
	static const char *const names[REBUILT_COUNT] = {[REBUILT_SAME] = "same",
	                                                 [REBUILT_NEW] = "new",
	                                                 [REBUILT_REFUSED] = "refused",
	                                                 [REBUILT_OTHER_TOOL] = "other ptxas",
	                                                 [REBUILT_DIFFERS] = "DIFFERS"};

	return names[rebuilt];
}

/* The worst of all that it is set beside. */
static void find(struct rebuild *rebuild, enum rebuilt rebuilt, enum rule rule, const char *text)
{
	if (rebuild->rebuilt != REBUILT_NEW && rebuilt <= rebuild->rebuilt)
		return;
	rebuild->rebuilt = rebuilt;
	rebuild->rule = rule;
	snprintf(rebuild->text, sizeof rebuild->text, "%s", text);
}

static bool same_census(const cJSON *recorded, const struct rebuild *rebuild, const char *file)
{
	struct bytes was = {0}, is = {0};
	struct cubin cubin;
	bool same = false;

	if (cubin_read((const uint8_t *)rebuild->image.cubin.data, rebuild->image.cubin.len, file, &cubin, NULL) == OK) {
		cJSON *census = listing_of(&cubin);

		same = jcs_write(census, &is, NULL) == OK && recorded != NULL && jcs_write(recorded, &was, NULL) == OK && is.len == was.len &&
		       memcmp(is.data, was.data, is.len) == 0;
		cJSON_Delete(census);
		cubin_free(&cubin);
	}
	bytes_free(&was);
	bytes_free(&is);
	return same;
}

static void set_beside_record(struct rebuild *rebuild, const cJSON *record, const char *file)
{
	const char *hash = replay_text(record, "code.sha256"), *version = replay_text(record, "code.ptxas.version");
	char hex[SHA256_HEX + 1];

	rebuild->records++;
	if (hash[0] == '\0')
		return; /* it was refused then, too, or never came so far */
	sha256_hex(&rebuild->image.hash, hex);
	if (rebuild->rebuilt == REBUILT_REFUSED) {
		find(rebuild, REBUILT_DIFFERS, R_RPL_CUBIN, "ptxas refuses what was measured");
	} else if (strcmp(hash, hex) != 0) {
		const bool same_tool = version[0] == '\0' || strcmp(version, rebuild->image.toolchain.version) == 0;
		char *text = mem_format("a record has the cubin %s, by ptxas %s; here ptxas %s makes %s", hash, version[0] != '\0' ? version : "(not said)",
		                        rebuild->image.toolchain.version, hex);

		find(rebuild, same_tool ? REBUILT_DIFFERS : REBUILT_OTHER_TOOL, R_RPL_CUBIN, text);
		free(text);
	} else if (!same_census(replay_at(record, "code.census"), rebuild, file)) {
		find(rebuild, REBUILT_DIFFERS, R_RPL_CENSUS, "a record lists other instructions of the same cubin");
	} else {
		find(rebuild, REBUILT_SAME, R_RPL_CUBIN, "");
	}
}

/* A frozen cubin alone names no tool. Records tell whether it was another one. */
static void set_beside_frozen(struct rebuild *rebuild)
{
	char was[SHA256_HEX + 1], is[SHA256_HEX + 1];

	if (!rebuild->image.frozen)
		return;
	if (memcmp(&rebuild->image.hash, &rebuild->image.frozen_hash, sizeof rebuild->image.hash) == 0) {
		find(rebuild, REBUILT_SAME, R_RPL_CUBIN, "");
		return;
	}
	sha256_hex(&rebuild->image.frozen_hash, was);
	sha256_hex(&rebuild->image.hash, is);
	char *text = mem_format("the frozen cubin is %s; here ptxas %s makes %s", was, rebuild->image.toolchain.version, is);

	find(rebuild, rebuild->rebuilt == REBUILT_OTHER_TOOL ? REBUILT_OTHER_TOOL : REBUILT_DIFFERS, R_RPL_CUBIN, text);
	free(text);
}

static bool is_of(const cJSON *record, const struct candidate *candidate)
{
	char id[SHA256_HEX + 1];

	sha256_hex(&candidate->id, id);
	return strcmp(replay_text(record, "candidate.directory"), candidate->directory) == 0 && strcmp(replay_text(record, "candidate.id"), id) == 0;
}

static enum status set_beside_records(struct rebuild *rebuild, const struct root *bundle, const struct candidate *candidate, struct error *err)
{
	struct file_list list = {0};
	enum status status = root_list(bundle, REPLAY_DIRECTORY, &list, err);
	char *end = mem_format("/%s.json", candidate->name);

	for (size_t i = 0; status == OK && i < list.count; i++) {
		const char *path = list.at[i].path;
		cJSON *record = NULL;

		if (list.at[i].kind == FILE_DIRECTORY || strlen(path) < strlen(end) || strcmp(path + strlen(path) - strlen(end), end) != 0)
			continue;
		status = replay_read(bundle, path, &record, err);
		if (status == OK && is_of(record, candidate))
			set_beside_record(rebuild, record, candidate->file);
		cJSON_Delete(record);
	}
	free(end);
	file_list_free(&list);
	return status;
}

static enum status write_frozen(const struct root *bundle, const struct candidate *candidate, const struct rebuild *rebuild, struct error *err)
{
	char *path = mem_format("%s/kernel.%s.cubin", candidate->directory, candidate->arch);
	const enum status status = root_write(bundle, path, rebuild->image.cubin.data, rebuild->image.cubin.len, err);

	free(path);
	return status;
}

static bool is_refusal(const struct error *err)
{
	return err->rule == R_TLC_REFUSED || err->rule == R_TLC_DEADLINE || err->rule == R_TLC_DIED;
}

/* The source, lowered again: the same PTX and data, or which of them differs. What it is refused for now is a difference, too. */
static enum status lower_again(struct rebuild *rebuild, const struct root *bundle, const struct candidate *candidate, struct error *err)
{
	struct nvcc nvcc = {0};
	struct lowered lowered = {0};
	struct error why = {0};
	const char *what = "";
	enum status status = nvcc_find(&nvcc, &why);

	if (status == OK)
		status = lower_directory(bundle, candidate->directory, &nvcc, NULL, &lowered, &why);
	rebuild->relowered = RELOWERED_DIFFERS;
	if (status == OK && lowered_same(candidate, &lowered, &what)) {
		rebuild->relowered = RELOWERED_SAME;
	} else if (status == OK) {
		/* Other tools make other PTX; the launches of the same PTX are the same whoever compiled the host code. */
		const bool excused = strcmp(what, LOWERED_PTX) == 0 && !lowered_by_same_tools(candidate, &lowered);
		char *text = mem_format("%s of %s is another than the frozen one%s", what, candidate->lowering.source, excused ? ", by other tools" : "");

		find(rebuild, excused ? REBUILT_OTHER_TOOL : REBUILT_DIFFERS, R_LOW_DIFFERS, text);
		free(text);
	} else if (status == UNAVAILABLE) {
		rebuild->relowered = RELOWERED_NOT_TRIED;
		snprintf(rebuild->why_not, sizeof rebuild->why_not, "%s", why.what);
	} else {
		find(rebuild, REBUILT_DIFFERS, why.rule, why.what);
	}
	lowered_free(&lowered);
	nvcc_free(&nvcc);
	if (status != FAILS && status != UNAVAILABLE && status != OK)
		*err = why;
	return status == FAILS || status == UNAVAILABLE ? OK : status;
}

enum status rebuild_candidate(const struct root *bundle, const struct candidate *candidate, bool freeze, struct rebuild *rebuild, struct error *err)
{
	struct toolchain toolchain;

	*rebuild = (struct rebuild){.rebuilt = REBUILT_NEW};
	enum status status = toolchain_find(&toolchain, err);

	if (status == OK) {
		toolchain_free(&toolchain);
		status = image_make(bundle, candidate, false, &rebuild->image, err);
	}
	if (status != OK && is_refusal(err)) {
		find(rebuild, REBUILT_REFUSED, err->rule, err->what);
		if (rebuild->image.frozen)
			find(rebuild, REBUILT_DIFFERS, err->rule, err->what);
		status = OK;
	}
	if (status == OK)
		status = set_beside_records(rebuild, bundle, candidate, err);
	if (status == OK && rebuild->image.assembled)
		set_beside_frozen(rebuild);
	if (status == OK && candidate->is_lowered)
		status = lower_again(rebuild, bundle, candidate, err);
	if (status == OK && freeze && rebuild->image.assembled && !rebuild->image.frozen)
		status = write_frozen(bundle, candidate, rebuild, err);
	return status;
}

void rebuild_free(struct rebuild *rebuild)
{
	image_free(&rebuild->image);
	*rebuild = (struct rebuild){0};
}
