/*
 * What a session keeps of its run: objects, and lines of exchanges.jsonl and evaluations.jsonl. What was committed is in the run's write-ahead file (bundle/ahead.h), where no kill takes it away. A
 * thread of the keeper's flushes it, as soon as the caller waits for something, then puts it in its place, and at times waits until the disk has all of that too, so that the file stays small. Where
 * a session was killed, the next one that opens the run puts in place what it left. Who loses power loses what was not flushed, 4 MiB at the most, and never what came before something that stays.
 *
 * One writer at a time: each file of lines is locked. Calls come from one thread.
 */
#ifndef PTXSEAL_MODEL_KEEPER_H
#define PTXSEAL_MODEL_KEEPER_H

#include "../base/file.h"
#include "../bundle/ahead.h"

enum keeper_of {
	KEEPER_EXCHANGES = 1 << AHEAD_EXCHANGES,
	KEEPER_EVALUATIONS = 1 << AHEAD_EVALUATIONS,
};

struct keeper_left { /* what a killed session left, and is in its place now */
	uint64_t objects, exchanges, evaluations;
};

struct keeper;
/*
 * files: which files of lines are written, keeper_of. They and the run's directory are made where they are not there. A last line that was not written whole is cut off. R_EXC_LOCKED, R_MCP_LOCKED:
 * another process has them. R_AHD_DAMAGED, R_AHD_LOST, or a rule of records: what a killed session left cannot be put in its place; nothing was changed. left: may be NULL. root stays the caller's.
 */
enum status keeper_open(const struct root *root, const char *run, unsigned files, struct keeper **keeper, struct keeper_left *left, struct error *err);
/* Settles what it can; whoever wants to know of an error settles before. NULL is fine. */
void keeper_close(struct keeper *keeper);

/* Kept with the next commit. hash has to be data's. R_OBJ_SIZE. An error is for good, as one of a commit. */
enum status keeper_object(struct keeper *keeper, const void *data, size_t len, const struct sha256 *hash, struct error *err);
/* One that follows from the records, and is made again where a killed session left none: it is in its place after keeper_settle at the latest. */
enum status keeper_object_later(struct keeper *keeper, const void *data, size_t len, const struct sha256 *hash, struct error *err);
/* Lines, each ended by its newline, behind those that are there. */
void keeper_lines(struct keeper *keeper, enum keeper_of file, const char *text, size_t len);
/* All that was handed in since the last commit is kept, or nothing of it counts. An error, such as that of an earlier flush, is for good: every later call gives it. */
enum status keeper_commit(struct keeper *keeper, struct error *err);
/* All that was kept is in its place, and on the disk; the write-ahead file is gone. */
enum status keeper_settle(struct keeper *keeper, struct error *err);

/* The run's write-ahead files, one a kind of session. R_AHD_UNFINISHED if one of those that lead these files is there: who reads the run would miss what is in it. */
enum status keeper_check_settled(const struct root *root, const char *run, unsigned files, struct error *err);

#endif
