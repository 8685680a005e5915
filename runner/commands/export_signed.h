/* The forms of `ptxseal export` that are signatures of the bundle for others' verifiers, and reading one back. Arguments: argv[0] is the form's name. */
#ifndef PTXSEAL_COMMANDS_EXPORT_SIGNED_H
#define PTXSEAL_COMMANDS_EXPORT_SIGNED_H

#include <stdbool.h>

#include "../base/file.h"
#include "../command.h"

enum status export_oms(int argc, char **argv);
enum status export_intoto(int argc, char **argv);

/* root_create of a directory for an export: it has to be empty (R_TRC_EXISTS). */
enum status export_open(const char *name, struct root *root, struct error *err);

/* `ptxseal verify --oms FILE --oms-key PEMFILE DIR`: prints the verdict. */
enum status verify_oms(const char *dir, const char *file, const char *key_file, bool json);

#endif
