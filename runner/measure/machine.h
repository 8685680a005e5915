/* The host that a measurement ran on: what can change a result, nothing that names a person, an account or the machine. */
#ifndef PTXSEAL_MEASURE_MACHINE_H
#define PTXSEAL_MEASURE_MACHINE_H

#include <cjson/cJSON.h>

/*
 * {"container":[hints],"cores","cpu","glibc","governor","hypervisor","kernel","machine","memory_mib","program"}; a text that cannot be had is "unknown", a number null.
 * root is where /proc and /sys are looked for: "" outside of tests. Hints are signs of a container that were seen, in a fixed order; none seen proves nothing.
 * program is the version of this one. The caller deletes it.
 */
cJSON *machine_facts(const char *root);

/* A path as records write it: a home directory at its start (HOME's, /root, /home/NAME, /Users/NAME) becomes ~. free() it. */
char *machine_path(const char *path);

#endif
