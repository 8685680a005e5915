#include "parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "../base/bytes.h"
#include "../base/sha256.h"

enum { WORKERS_MAX = 16 };

struct parallel {
	size_t count;
	parallel_job *job;
	void *context;
	atomic_size_t next;
	struct error *errors; /* one a job; status OK where it succeeded */
};

struct worker {
	struct parallel *parallel;
	struct database *db;
	pthread_t thread;
};

static void *work(void *argument)
{
	const struct worker *worker = argument;
	struct parallel *parallel = worker->parallel;

	for (size_t i = atomic_fetch_add(&parallel->next, 1); i < parallel->count; i = atomic_fetch_add(&parallel->next, 1))
		if (parallel->job(worker->db, i, parallel->context, &parallel->errors[i]) == OK)
			parallel->errors[i].status = OK;
	return NULL;
}

/* As many helpers as there are further cores and jobs; where one cannot be had, the others do its part. */
static size_t start_workers(struct parallel *parallel, const struct database *db, struct worker *workers)
{
	size_t wanted = cores() - 1 < WORKERS_MAX ? cores() - 1 : WORKERS_MAX;
	size_t started = 0;

	while (started < wanted && started + 1 < parallel->count) {
		struct worker *worker = &workers[started];

		worker->parallel = parallel;
		worker->db = NULL;
		if (db != NULL && database_clone(db, &worker->db, NULL) != OK)
			break;
		if (pthread_create(&worker->thread, NULL, work, worker) != 0) {
			database_close(worker->db);
			break;
		}
		started++;
	}
	return started;
}

enum status parallel_run(struct database *db, size_t count, parallel_job *job, void *context, struct error *err)
{
	struct parallel parallel = {
		.count = count, .job = job, .context = context, .errors = mem_alloc((count + 1) * sizeof *parallel.errors)};
	struct worker workers[WORKERS_MAX];
	struct worker self = {.parallel = &parallel, .db = db};
	size_t started = start_workers(&parallel, db, workers);
	enum status status = OK;

	work(&self);
	for (size_t i = 0; i < started; i++) {
		pthread_join(workers[i].thread, NULL);
		database_close(workers[i].db);
	}
	for (size_t i = 0; i < count && status == OK; i++) {
		status = parallel.errors[i].status;
		if (status != OK && parallel.errors[i].rule == R_TAB_MEMORY)
			status = job(db, i, context, &parallel.errors[i]);
		if (status != OK && err != NULL)
			*err = parallel.errors[i];
	}
	free(parallel.errors);
	return status;
}
