#include "derivation.h"

#include <stdlib.h>

enum status derivation_open(const char *bundle, struct derivation *derivation, struct error *err)
{
	*derivation = (struct derivation){.bundle = {.fd = -1}};
	enum status status = root_open(bundle, &derivation->bundle, err);

	if (status == OK)
		status = catalogue_read(&derivation->bundle, &derivation->catalogue, err);
	if (status == OK)
		status = database_open(&derivation->bundle, &derivation->db, err);
	return status;
}

enum status derivation_tables(struct derivation *derivation, struct error *err)
{
	size_t count = derivation->catalogue.table_count;
	enum status status = OK;

	derivation->tables = mem_alloc((count + 1) * sizeof *derivation->tables);
	for (size_t i = 0; i < count && status == OK; i++)
		status = derived_make(derivation->db, &derivation->catalogue.tables[i], &derivation->tables[i], err);
	return status;
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
