#include "device_table.h"

#include <string.h>

/*
 * CUDA C++ programming guide, "Technical Specifications per Compute Capability", 9.0; number of SMs, L2, clocks and memory bus as artifact/replays has them of an H200
 * (an H100 SXM has as many SMs). A replay compares what was asked with the device it runs on.
 */
static const struct device_attribute hopper[] = {
	{1, 1024},                       /* threads a block */
	{2, 1024},  {3, 1024},   {4, 64},  /* x, y, z of a block */
	{5, 2147483647}, {6, 65535}, {7, 65535}, /* x, y, z of a grid */
	{8, 48 << 10},                   /* bytes of shared memory a block */
	{9, 64 << 10},                   /* bytes of constant memory */
	{10, 32},                        /* threads a warp */
	{12, 64 << 10},                  /* registers a block */
	{13, 1980000},                   /* kHz */
	{16, 132},                       /* SMs */
	{36, 3201000},                   /* kHz of memory */
	{37, 6016},                      /* bits of the memory bus */
	{38, 60 << 20},                  /* bytes of L2 */
	{39, 2048},                      /* threads an SM */
	{41, 1},                         /* one address space */
	{75, 9},    {76, 0},             /* compute capability */
	{81, 228 << 10},                 /* bytes of shared memory an SM */
	{82, 64 << 10},                  /* registers an SM */
	{95, 1},                         /* cooperative launch */
	{97, 227 << 10},                 /* bytes of shared memory a block that asks for it */
	{106, 32},                       /* blocks an SM */
	{111, 1 << 10},                  /* bytes of shared memory that the system takes of a block */
	{115, 1},                        /* memory pools */
	{120, 1},                        /* clusters */
};

struct device_table device_table_of(const char *arch)
{
	if (strncmp(arch, "sm_90", 5) == 0)
		return (struct device_table){arch, "NVIDIA H200", hopper, sizeof hopper / sizeof hopper[0]};
	return (struct device_table){arch, arch, NULL, 0};
}
