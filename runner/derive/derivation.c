#include "derivation.h"

#include <stdlib.h>

#include "../bundle/presence.h"
#include "parallel.h"

enum status derivation_open(const char *bundle, struct derivation *derivation, struct error *err)
{
	*derivation = (struct derivation){.bundle = {.fd = -1}};
	enum status status = root_open(bundle, &derivation->bundle, err);

	if (status == OK)
		status = presence_check(&derivation->bundle, err);
	if (status == OK)
		status = catalogue_read(&derivation->bundle, &derivation->catalogue, err);
	if (status == OK)
		status = database_open(&derivation->bundle, &derivation->db, err);
	return status;
}

static enum status derive_table(struct database *db, size_t index, void *context, struct error *err)
{
	struct derivation *derivation = context;

	derived_free(&derivation->tables[index]);
	return derived_make(db, &derivation->catalogue.tables[index], &derivation->tables[index], err);
}

enum status derivation_tables(struct derivation *derivation, struct error *err)
{
	size_t count = derivation->catalogue.table_count;

	derivation->tables = mem_alloc((count + 1) * sizeof *derivation->tables);
	return parallel_run(derivation->db, count, derive_table, derivation, err);
}

void derivation_close(struct derivation *derivation)
{
	for (size_t i = 0; derivation->tables != NULL && i < derivation->catalogue.table_count; i++)
		derived_free(&derivation->tables[i]);
	free(derivation->tables);
	catalogue_free(&derivation->catalogue);
	database_close(derivation->db);
	root_close(&derivation->bundle);
	*derivation = (struct derivation){.bundle = {.fd = -1}};
}
