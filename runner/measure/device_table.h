/* What host code is told of a device that is not there, by architecture. No CUDA types: numbers are those of CUdevice_attribute. */
#ifndef PTXSEAL_MEASURE_DEVICE_TABLE_H
#define PTXSEAL_MEASURE_DEVICE_TABLE_H

#include <stddef.h>

struct device_attribute {
	int attribute, value;
};

struct device_table {
	const char *arch; /* "sm_90a" */
	const char *name; /* of the device */
	const struct device_attribute *at;
	size_t count;
};

/* Of an architecture of which nothing is known: an empty table with its name. */
struct device_table device_table_of(const char *arch);

#endif
