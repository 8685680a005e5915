#include "image.h"

#include "../base/jcs.h"

static enum status read_frozen(const struct root *root, const struct candidate *candidate, struct bytes *frozen, struct image *image,
                               struct error *err)
{
	struct error why = {0};
	enum status status = candidate_frozen_cubin(root, candidate, frozen, &why);

	if (status == OK) {
		image->frozen = true;
		image->frozen_hash = sha256_of(frozen->data, frozen->len);
		return OK;
	}
	/* That there is none is no error yet. */
	if (why.rule == R_CAN_CUBIN)
		return OK;
	*err = why;
	return status;
}

static enum status assemble(const struct candidate *candidate, struct image *image, struct error *err)
{
	struct assembly assembly = {0};
	const enum status status = toolchain_assemble(&image->toolchain, candidate->ptx.data, candidate->ptx.len, candidate->ptx_file, candidate->arch,
	                                              &assembly, err);

	image->assembled = status == OK;
	image->cubin = assembly.cubin;
	image->report = assembly.report;
	return status;
}

enum status image_make(const struct root *root, const struct candidate *candidate, bool frozen_only, struct image *image, struct error *err)
{
	struct bytes frozen = {0};
	struct error why = {0};

	*image = (struct image){0};
	enum status status = read_frozen(root, candidate, &frozen, image, err);

	if (status != OK)
		return status;
	if (!frozen_only && toolchain_find(&image->toolchain, &why) == OK) {
		status = assemble(candidate, image, err);
		bytes_free(&frozen);
	} else if (image->frozen) {
		image->cubin = frozen;
	} else {
		status = error_set(err, R_CAN_CUBIN, candidate->file, "there is no frozen cubin, and ptxas %s", frozen_only ? "is not to be used" : "is not here");
	}
	image->hash = sha256_of(image->cubin.data, image->cubin.len);
	return status;
}

void image_free(struct image *image)
{
	bytes_free(&image->cubin);
	bytes_free(&image->report);
	toolchain_free(&image->toolchain);
	*image = (struct image){0};
}

cJSON *image_facts(const struct image *image)
{
	cJSON *facts = cJSON_CreateObject();

	jcs_add_hash(facts, "sha256", &image->hash);
	cJSON_AddBoolToObject(facts, "assembled", image->assembled);
	if (image->frozen)
		jcs_add_hash(facts, "frozen_sha256", &image->frozen_hash);
	else
		cJSON_AddNullToObject(facts, "frozen_sha256");
	if (!image->assembled) {
		cJSON_AddNullToObject(facts, "ptxas");
		return facts;
	}
	cJSON *ptxas = cJSON_AddObjectToObject(facts, "ptxas");

	cJSON_AddStringToObject(ptxas, "version", image->toolchain.version);
	jcs_add_hash(ptxas, "sha256", &image->toolchain.hash);
	cJSON_AddStringToObject(ptxas, "report", image->report.data != NULL ? image->report.data : "");
	return facts;
}
