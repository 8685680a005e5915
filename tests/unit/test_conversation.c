/* A run (model/conversation.h) against tests/servers/scripted.py, ended at every moment at which it looks whether it is to: what it says it has done is what its record gives when it is played. */
#include "unit.h"

#include "scratch.h"
#include "server.h"

#include "model/conversation.h"

enum { TRAJECTORIES = 8, TURNS = 4 };

static struct server scripted;
static char *directory;
static struct root root;
static struct template template;
static const struct prompt_values values;

/* Nothing is assembled here: whatever was extracted does not compile. */
static enum status evaluate(void *context, uint32_t trajectory, uint32_t turn, const struct extracted *extracted, struct evaluation *evaluation, struct error *err)
{
	(void)context, (void)trajectory, (void)turn, (void)extracted, (void)err;
	evaluation->outcome = OUTCOME_MEASURED_COMPILATION;
	evaluation->evidence = EVIDENCE_UNKNOWN;
	strcpy(evaluation->speedup, "0");
	evaluation->rule = mem_text("R-TLC-005");
	evaluation->text = mem_text("no");
	evaluation->facts = cJSON_CreateObject();
	return OK;
}

static struct query_plan plan_of(void)
{
	return (struct query_plan){.model = mem_text("m"), .parameters = mem_text("{}"), .seed = 0, .form = FORM_PTX, .policy = POLICY_PAIR, .template = mem_text("p"), .template_hash = template.hash,
	                           .trajectories = TRAJECTORIES, .turns = TURNS, .target = mem_text(""), .task = mem_text("t"), .workload = mem_text("w"), .arch = mem_text("hopper")};
}

static unsigned looks; /* how often it may look yet */

static bool stop(void)
{
	return looks-- == 0;
}

static enum status ask(const char *run, const struct query_plan *plan, struct conversation_result *result)
{
	char *url = mem_format("http://127.0.0.1:%s/talk/v1", scripted.told);
	const struct endpoint_options to = {.url = url, .concurrency = TRAJECTORIES};
	struct conversation_options how = {.bundle = &root, .run = run, .plan = plan, .template = &template, .values = &values, .evaluate = evaluate, .evaluators = 1, .stop = stop};
	struct error err = {0};

	assert_int_equal(keeper_open(&root, run, KEEPER_EXCHANGES | KEEPER_EVALUATIONS, &how.keeper, NULL, NULL), OK);
	assert_int_equal(freezer_open(&root, run, how.keeper, &how.freezer, NULL), OK);
	assert_int_equal(journal_open(&root, run, TRAJECTORIES, TURNS, how.keeper, &how.journal, NULL), OK);
	assert_int_equal(endpoint_open(&to, &how.endpoint, NULL), OK);
	const enum status status = conversation_run(&how, result, &err);

	if (status != OK && status != STOPPED)
		fail_msg("%s", err.what);
	endpoint_close(how.endpoint);
	journal_close(how.journal);
	freezer_close(how.freezer);
	keeper_close(how.keeper);
	free(url);
	return status;
}

static void play(const char *run, const struct query_plan *plan, struct conversation_result *result)
{
	struct conversation_options how = {.bundle = &root, .run = run, .plan = plan, .template = &template, .values = &values};
	struct error err = {0};

	assert_int_equal(freezer_open_frozen(&root, run, &how.freezer, NULL), OK);
	assert_int_equal(journal_open(&root, run, TRAJECTORIES, TURNS, NULL, &how.journal, NULL), OK);
	if (conversation_run(&how, result, &err) != OK)
		fail_msg("%s", err.what);
	journal_close(how.journal);
	freezer_close(how.freezer);
}

static void a_run_that_is_stopped_has_the_turns_of_its_record(void **state)
{
	enum status status = STOPPED;
	struct query_plan plan = plan_of();

	(void)state;
	for (unsigned at = 0; status == STOPPED; at++) {
		char *run = mem_format("r%u", at);
		struct conversation_result asked, played;

		looks = at;
		status = ask(run, &plan, &asked);
		play(run, &plan, &played);
		assert_int_equal(asked.done, played.done);
		assert_int_equal(asked.turns.len, played.turns.len);
		assert_true(asked.turns.len == 0 || memcmp(asked.turns.data, played.turns.data, asked.turns.len) == 0);
		assert_int_equal(asked.planned, asked.done + asked.missing);
		conversation_result_free(&asked);
		conversation_result_free(&played);
		free(run);
	}
	query_plan_free(&plan);
}

static int set_up(void **state)
{
	static const char *const parts[] = {"task.txt", "feedback.txt", "single.txt", "example.txt", "hopper.txt"};
	char *script = mem_format("%s/tests/servers/scripted.py", getenv("REPO") != NULL ? getenv("REPO") : ".");

	(void)state;
	directory = scratch_make();
	assert_int_equal(root_open(directory, &root, NULL), OK);
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		char *path = mem_format("tasks/prompts/p/%s", parts[i]);

		assert_int_equal(root_write(&root, path, i == 1 ? "{{feedback}}" : "Kernels.", i == 1 ? 12 : 8, NULL), OK);
		free(path);
	}
	assert_int_equal(template_read(&root, "p", "hopper", &template, NULL), OK);
	server_start(&scripted, (const char *const[]){script, NULL});
	free(script);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	server_stop(&scripted);
	template_free(&template);
	root_close(&root);
	scratch_remove(directory);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_that_is_stopped_has_the_turns_of_its_record),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
