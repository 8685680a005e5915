/* `ptxseal import` of others' runs. */
#ifndef PTXSEAL_COMMANDS_IMPORT_RUNS_H
#define PTXSEAL_COMMANDS_IMPORT_RUNS_H

#include "../command.h"
#include "../model/trace_import.h"
#include "../model/trajectories.h"

/* Is it a kind of data that import_runs reads? */
bool import_runs_known(const char *kind);

/* argv[1] is the kind. */
enum status import_runs(int argc, char **argv);

#endif
