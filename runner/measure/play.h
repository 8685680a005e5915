/*
 * A run that asked a model, played from its record alone: every prompt is made again and has to be the recorded one, every reply is read and its kernel extracted again, and turns.jsonl has to come
 * out with the same bytes. Needs no endpoint, compiler or device, and writes nothing.
 */
#ifndef PTXSEAL_MEASURE_PLAY_H
#define PTXSEAL_MEASURE_PLAY_H

#include "../model/conversation.h"
#include "../model/query_run.h"

struct play {
	const struct root *bundle; /* has the run and its objects */
	const char *run;
	struct query_plan plan;
	struct template template;
	struct prompt_values values;
	struct freezer *freezer;
	struct journal *journal;
};

/* definitions: the bundle with its task and template; the same one, or the archive that a submission is for. R_EXC_NONE: there is no such run; R_PRM_NAME, R_QRY_LEAVES: there is no such template, or it
 * has other bytes; R_PRB_*: of the task. play_close in every case. */
enum status play_open(const struct root *bundle, const struct root *definitions, const char *run, struct play *play, struct error *err);
/* Its run.json says what was asked for, R_QRY_RECORD: tables go by that. R_PRB_NAMED. */
enum status play_check_record(const struct play *play, const struct root *definitions, struct error *err);
/* As conversation_run, and R_QRY_TURNS. What was not asked to its end is in the result, and is no error. conversation_result_free in every case. */
enum status play_run(struct play *play, void (*event)(void *context, const struct conversation_event *event), void *context, struct conversation_result *result, struct error *err);
void play_close(struct play *play);

#endif
