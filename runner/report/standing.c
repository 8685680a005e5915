#include "standing.h"

#include "../bundle/presence.h"
#include "../derive/parallel.h"
#include "../submission/logbook.h"
#include "../submission/roll.h"

struct making {
	const char *bundle;
	bool quiet;
	struct standing *standing;
};

static enum status verify(const struct making *making, struct error *err)
{
	struct standing *standing = making->standing;
	const struct verify_options how = {.pinned = standing->pinned, .quiet = making->quiet};
	struct root root = {.fd = -1};
	enum status status = root_open(making->bundle, &root, err);

	if (status == OK)
		status = presence_check(&root, err);
	if (status == OK)
		standing->integrity = archive_verify(&root, &how, &standing->verified);
	if (status == OK && standing->integrity == OK)
		roll_text(&root, "  ", &standing->admitted);
	root_close(&root);
	return status;
}

static enum status compare_or_decide(struct database *db, size_t index, void *context, struct error *err)
{
	struct standing *standing = context;
	struct derivation *derivation = &standing->derivation;

	if (index == 0) {
		check_free(&standing->check);
		return check_make(db, &derivation->bundle, &derivation->catalogue, derivation->tables, derivation->catalogue.table_count, &standing->check, err);
	}
	decisions_free(standing->decisions, derivation->catalogue.claim_count);
	return decisions_make(db, &derivation->catalogue, &standing->decisions, err);
}

static enum status derive(const char *bundle, struct standing *standing, struct error *err)
{
	struct derivation *derivation = &standing->derivation;
	enum status status = derivation_open(bundle, derivation, err);

	if (status == OK)
		status = derivation_tables(derivation, err);
	if (status == OK)
		status = parallel_run(derivation->db, 2, compare_or_decide, standing, err);
	return status;
}

/* What is derived is of the bundle as it stands, whatever verifying finds of it. */
static enum status verify_or_derive(struct database *db, size_t index, void *context, struct error *err)
{
	const struct making *making = context;

	(void)db;
	if (index == 0)
		return verify(making, err);
	making->standing->derived = derive(making->bundle, making->standing, &making->standing->why);
	return OK;
}

enum status standing_make(const char *bundle, const char *pinned, bool quiet, struct standing *standing, struct error *err)
{
	struct making making = {bundle, quiet, standing};

	*standing = (struct standing){.pinned = pinned, .derivation = {.bundle = {.fd = -1}}};
	return parallel_run(NULL, 2, verify_or_derive, &making, err);
}

void standing_free(struct standing *standing)
{
	decisions_free(standing->decisions, standing->derivation.catalogue.claim_count);
	check_free(&standing->check);
	derivation_close(&standing->derivation);
	verify_report_free(&standing->verified);
	bytes_free(&standing->admitted);
}

bool standing_derives(const struct standing *standing)
{
	return standing->derived == OK && check_holds(&standing->check);
}

bool standing_decides(const struct standing *standing)
{
	return standing->derived == OK && decisions_hold(standing->decisions, standing->derivation.catalogue.claim_count);
}

bool standing_holds(const struct standing *standing)
{
	return standing->integrity == OK && standing_derives(standing) && standing_decides(standing);
}

enum status standing_status(const struct standing *standing)
{
	if (standing->integrity != OK)
		return standing->integrity;
	if (standing->derived != OK)
		return standing->derived;
	return standing_holds(standing) ? OK : FAILS;
}
