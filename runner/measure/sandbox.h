/*
 * Layers between a worker and its host, put on in two steps: before the driver starts, while the process has one thread (what is put on then holds
 * for every thread the driver makes), and before the candidate's code is loaded. A host may refuse a layer; that is noted, not hidden.
 */
#ifndef PTXSEAL_MEASURE_SANDBOX_H
#define PTXSEAL_MEASURE_SANDBOX_H

#include <stdbool.h>

#include <cjson/cJSON.h>

enum sandbox_layer {
	LAYER_LIMITS,       /* no core file, no file beyond 1 MiB, 1,024 open files */
	LAYER_NAMESPACES,   /* no network interfaces, no System V IPC of the host's */
	LAYER_NO_NEW_RIGHTS, /* no_new_privs: no program it could start gains rights */
	LAYER_LANDLOCK,     /* writes only to existing files below /dev and the process's own /proc entry (the driver's needs); runs no program, no TCP */
	LAYER_IDENTITY,     /* user 65534 where it was root, and no capability in any set */
	LAYER_SECCOMP,      /* no new process, program, socket, tracing, mounts, file making or removing: the list is in sandbox.c */
	LAYER_COUNT
};

struct sandbox {
	unsigned without;              /* layers to leave out: 1u << LAYER_... */
	bool in_force[LAYER_COUNT];
	char refused[LAYER_COUNT][96]; /* why, where it is not in force */
};

void sandbox_before_driver(struct sandbox *sandbox);
void sandbox_before_code(struct sandbox *sandbox);

/*
 * More layers, for code that has no business with the system at all (docs/measure.md, "kernel.cu"). No file can be opened, for reading either, but what a descriptor holds.
 * No clock can be read: whoever tries crashes (SIGSEGV). Then: calls other than those to memory, to open descriptors, to locks and to end kill the process (SIGSYS), first those
 * aside that the loader needs to map what a descriptor holds. In this order. False: refused by the host.
 */
bool sandbox_no_clocks(void);
bool sandbox_no_files(void);
bool sandbox_loading_only(void);
bool sandbox_memory_only(void);

bool sandbox_whole(const struct sandbox *sandbox);
/* {layer: "in force" | "refused: why" | "left out"} */
cJSON *sandbox_facts(const struct sandbox *sandbox);

#endif
