/* Sessions of a run "r", for tests of what keeps it: what they keep, and what has to be there afterwards. */
#ifndef PTXSEAL_TESTS_KEEPING_H
#define PTXSEAL_TESTS_KEEPING_H

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bundle/exchanges.h"
#include "bundle/objects.h"
#include "model/keeper.h"
#include "scratch.h"

#define RUN "artifact/runs/r/"
#define EXCHANGES RUN "exchanges.jsonl"
#define EVALUATIONS RUN "evaluations.jsonl"
#define AHEAD RUN "exchanges.ahead"

enum { BOTH = KEEPER_EXCHANGES | KEEPER_EVALUATIONS };

static struct root root;

static inline int set_up(void **state)
{
	/* In memory where that can be: the disk is waited for very often here, and what else others write to it with that. */
	char *name = mem_text(access("/dev/shm", W_OK) == 0 ? "/dev/shm/ptxseal-test-XXXXXX" : "/tmp/ptxseal-test-XXXXXX");

	*state = name;
	return mkdtemp(name) != NULL && root_open(name, &root, NULL) == OK ? 0 : -1;
}

static inline int tear_down(void **state)
{
	root_close(&root);
	scratch_remove(*state);
	return 0;
}

/* The number-th exchange; its request is the text of text_of. */
static inline char *text_of(unsigned number)
{
	return mem_format("what was asked, number %u", number);
}

static inline void write_exchange(unsigned number, struct bytes *out)
{
	char *text = text_of(number), api[] = "chat", model[] = "m", parameters[] = "{}", client[] = "c";
	struct exchange exchange = {.trajectory = number, .api = api, .model_asked = model, .parameters = parameters, .client = client, .request = sha256_of(text, strlen(text)), .http_status = -1,
	                            .reply_class = REPLY_CONNECTION, .prompt_tokens = -1, .completion_tokens = -1, .reasoning_tokens = -1, .started = "2026-01-31T23:59:59.999Z", .first_byte_ms = -1};

	exchange_write(&exchange, out);
	free(text);
}

static inline void write_evaluation(unsigned number, struct bytes *out)
{
	bytes_format(out,
	             "{\"arch_tag\":\"\",\"candidate\":null,\"evidence\":\"unknown\",\"facts\":{},\"files\":[],\"outcome\":\"extraction_error\",\"rule\":\"R-EXT-001\",\"speedup\":\"0\",\"text\":\"\","
	             "\"trajectory\":%u,\"turn\":0,\"why_none\":\"no\"}\n",
	             number);
}

static inline enum status keep(struct keeper *keeper, unsigned number, struct error *err)
{
	struct bytes exchange = {0}, evaluation = {0};
	char *text = text_of(number);
	const struct sha256 hash = sha256_of(text, strlen(text));
	enum status status = keeper_object(keeper, text, strlen(text), &hash, err);

	write_exchange(number, &exchange);
	write_evaluation(number, &evaluation);
	keeper_lines(keeper, KEEPER_EXCHANGES, exchange.data, exchange.len);
	keeper_lines(keeper, KEEPER_EVALUATIONS, evaluation.data, evaluation.len);
	if (status == OK)
		status = keeper_commit(keeper, err);
	bytes_free(&exchange);
	bytes_free(&evaluation);
	free(text);
	return status;
}

static inline struct keeper *open_both(struct keeper_left *left)
{
	struct keeper *keeper;
	struct error err = {0};

	if (keeper_open(&root, "r", BOTH, &keeper, left, &err) != OK)
		fail_msg("%s: %s", err.file, err.what);
	return keeper;
}

static inline uint64_t count_of(const char *path)
{
	struct bytes text = {0};
	uint64_t count = 0;

	if (root_has(&root, path))
		assert_int_equal(root_read(&root, path, 1 << 26, &text, NULL), OK);
	for (size_t i = 0; i < text.len; i++)
		count += text.data[i] == '\n';
	bytes_free(&text);
	return count;
}

/* The first `count` are all there, and nothing else; and so is every object of theirs. */
static inline void holds(unsigned count)
{
	struct bytes exchanges = {0}, evaluations = {0}, text = {0};

	for (unsigned i = 0; i < count; i++) {
		char *asked = text_of(i);
		const struct sha256 id = sha256_of(asked, strlen(asked));
		struct bytes object = {0};

		write_exchange(i, &exchanges);
		write_evaluation(i, &evaluations);
		assert_int_equal(object_get(&root, &id, &object, NULL), OK);
		assert_int_equal(object.len, strlen(asked));
		bytes_free(&object);
		free(asked);
	}
	assert_int_equal(root_read(&root, EXCHANGES, 1 << 26, &text, NULL), OK);
	assert_string_equal(text.data != NULL ? text.data : "", exchanges.data != NULL ? exchanges.data : "");
	text.len = 0;
	assert_int_equal(root_read(&root, EVALUATIONS, 1 << 26, &text, NULL), OK);
	assert_string_equal(text.data != NULL ? text.data : "", evaluations.data != NULL ? evaluations.data : "");
	assert_false(root_has(&root, AHEAD));
	bytes_free(&exchanges);
	bytes_free(&evaluations);
	bytes_free(&text);
}

/* A session keeps what is from `from` to before `to`, each once the one before is in its place and so was flushed, and is killed once all of it is there, so that both are. */
static inline void killed_session(unsigned from, unsigned to)
{
	const pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0) {
		struct keeper *keeper;

		if (keeper_open(&root, "r", BOTH, &keeper, NULL, NULL) != OK)
			_exit(1);
		for (unsigned i = from; i < to; i++) {
			if (keep(keeper, i, NULL) != OK)
				_exit(2);
			while (count_of(EXCHANGES) <= i || count_of(EVALUATIONS) <= i)
				usleep(500);
		}
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
}

#endif
