#include "standing.h"

#include "../bundle/presence.h"
#include "../submission/logbook.h"
#include "../submission/roll.h"

static enum status verify(const char *bundle, bool quiet, struct standing *standing, struct error *err)
{
	const struct verify_options how = {.pinned = standing->pinned, .quiet = quiet};
	struct root root = {.fd = -1};
	enum status status = root_open(bundle, &root, err);

	if (status == OK)
		status = presence_check(&root, err);
	if (status == OK)
		standing->integrity = archive_verify(&root, &how, &standing->verified);
	if (status == OK && standing->integrity == OK)
		roll_text(&root, "  ", &standing->admitted);
	root_close(&root);
	return status;
}

static enum status derive(const char *bundle, struct standing *standing, struct error *err)
{
	struct derivation *derivation = &standing->derivation;
	enum status status = derivation_open(bundle, derivation, err);

	if (status == OK)
		status = derivation_tables(derivation, err);
	if (status == OK)
		status = check_make(derivation->db, &derivation->bundle, &derivation->catalogue, derivation->tables,
		                    derivation->catalogue.table_count, &standing->check, err);
	if (status == OK)
		status = decisions_make(derivation->db, &derivation->catalogue, &standing->decisions, err);
	return status;
}

enum status standing_make(const char *bundle, const char *pinned, bool quiet, struct standing *standing, struct error *err)
{
	*standing = (struct standing){.pinned = pinned, .derivation = {.bundle = {.fd = -1}}};
	enum status status = verify(bundle, quiet, standing, err);

	if (status == OK)
		standing->derived = derive(bundle, standing, &standing->why);
	return status;
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
