/* Independent queries on all cores, each thread with its own connection to the database. */
#ifndef PTXSEAL_DERIVE_PARALLEL_H
#define PTXSEAL_DERIVE_PARALLEL_H

#include "database.h"

/* The job of one index; it may be called again for the same one. */
typedef enum status parallel_job(struct database *db, size_t index, void *context, struct error *err);

/* Do all count jobs; db is NULL for jobs that need no database. The failure passed up is that of the lowest index, whatever order they ran in: a job that ran out of memory, which
 * others may have used up, is done again alone first. */
enum status parallel_run(struct database *db, size_t count, parallel_job *job, void *context, struct error *err);

#endif
