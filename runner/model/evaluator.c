#include "evaluator.h"

#include <pthread.h>
#include <stdlib.h>

enum { THREADS_MAX = 64 };

struct evaluators {
	evaluator *evaluate;
	void *context;
	void (*notify)(void *context);
	void *notify_context;
	pthread_mutex_t lock;
	pthread_cond_t more;
	bool stop;
	size_t open;
	struct assessment *waiting, **last; /* in the order in which they came */
	struct assessment *done;
	pthread_t thread[THREADS_MAX];
	unsigned threads;
};

void assessment_free(struct assessment *assessment)
{
	if (assessment == NULL)
		return;
	extracted_free(&assessment->extracted);
	evaluation_free(&assessment->evaluation);
	free(assessment);
}

/* The next one that waits; NULL at the end. */
static struct assessment *next(struct evaluators *evaluators)
{
	struct assessment *assessment = NULL;

	pthread_mutex_lock(&evaluators->lock);
	while (evaluators->waiting == NULL && !evaluators->stop)
		pthread_cond_wait(&evaluators->more, &evaluators->lock);
	if (!evaluators->stop) {
		assessment = evaluators->waiting;
		evaluators->waiting = assessment->next;
		if (evaluators->waiting == NULL)
			evaluators->last = &evaluators->waiting;
	}
	pthread_mutex_unlock(&evaluators->lock);
	return assessment;
}

static void *work(void *context)
{
	struct evaluators *evaluators = context;
	struct assessment *assessment;

	while ((assessment = next(evaluators)) != NULL) {
		assessment->status = evaluators->evaluate(evaluators->context, assessment->trajectory, assessment->turn, &assessment->extracted, &assessment->evaluation, &assessment->err);
		pthread_mutex_lock(&evaluators->lock);
		assessment->next = evaluators->done;
		evaluators->done = assessment;
		pthread_mutex_unlock(&evaluators->lock);
		evaluators->notify(evaluators->notify_context);
	}
	return NULL;
}

struct evaluators *evaluators_start(unsigned threads, evaluator *evaluate, void *context, void (*notify)(void *context), void *notify_context)
{
	struct evaluators *evaluators = mem_alloc(sizeof *evaluators);

	*evaluators = (struct evaluators){.evaluate = evaluate, .context = context, .notify = notify, .notify_context = notify_context, .lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};
	evaluators->last = &evaluators->waiting;
	for (unsigned i = 0; i < threads && i < THREADS_MAX; i++) {
		if (pthread_create(&evaluators->thread[i], NULL, work, evaluators) != 0)
			mem_lacking();
		evaluators->threads++;
	}
	return evaluators;
}

void evaluators_submit(struct evaluators *evaluators, struct assessment *assessment)
{
	pthread_mutex_lock(&evaluators->lock);
	assessment->next = NULL;
	*evaluators->last = assessment;
	evaluators->last = &assessment->next;
	evaluators->open++;
	pthread_cond_signal(&evaluators->more);
	pthread_mutex_unlock(&evaluators->lock);
}

struct assessment *evaluators_take(struct evaluators *evaluators)
{
	pthread_mutex_lock(&evaluators->lock);
	struct assessment *assessment = evaluators->done;

	if (assessment != NULL) {
		evaluators->done = assessment->next;
		evaluators->open--;
	}
	pthread_mutex_unlock(&evaluators->lock);
	return assessment;
}

size_t evaluators_open(struct evaluators *evaluators)
{
	pthread_mutex_lock(&evaluators->lock);
	const size_t open = evaluators->open;

	pthread_mutex_unlock(&evaluators->lock);
	return open;
}

static void drop_all(struct assessment *list)
{
	while (list != NULL) {
		struct assessment *rest = list->next;

		assessment_free(list);
		list = rest;
	}
}

void evaluators_stop(struct evaluators *evaluators)
{
	if (evaluators == NULL)
		return;
	pthread_mutex_lock(&evaluators->lock);
	evaluators->stop = true;
	pthread_cond_broadcast(&evaluators->more);
	pthread_mutex_unlock(&evaluators->lock);
	for (unsigned i = 0; i < evaluators->threads; i++)
		pthread_join(evaluators->thread[i], NULL);
	drop_all(evaluators->waiting);
	drop_all(evaluators->done);
	pthread_cond_destroy(&evaluators->more);
	pthread_mutex_destroy(&evaluators->lock);
	free(evaluators);
}
