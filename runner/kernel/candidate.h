/*
 * A candidate as data (docs/measure.md): which functions of a PTX module run, in which order, with what grid, parameters, tensor maps and
 * scratch buffers. Read strictly from DIRECTORY/candidate.json; numbers stay expressions here and become numbers for a workload in measure/plan.h.
 */
#ifndef PTXSEAL_KERNEL_CANDIDATE_H
#define PTXSEAL_KERNEL_CANDIDATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "../base/bytes.h"
#include "../base/error.h"
#include "../base/file.h"
#include "../base/sha256.h"

enum {
	CANDIDATE_JSON_MAX = 1 << 20,
	CANDIDATE_PTX_MAX = 16 << 20,
	CANDIDATE_CUBIN_MAX = 64 << 20,
	CANDIDATE_BUFFERS_MAX = 16,
	CANDIDATE_MAPS_MAX = 32,
	CANDIDATE_LAUNCHES_MAX = 64,
	CANDIDATE_PARAMETERS_MAX = 64, /* of a launch */
	CANDIDATE_NAME_MAX = 64,       /* buffers, maps; with the terminator */
	MAP_RANK_MAX = 5,
};

/* Element types of a tensor map: what the hardware copies, so only the size matters to it but for filling what lies outside. */
enum element { ELEMENT_U8, ELEMENT_U16, ELEMENT_U32, ELEMENT_I32, ELEMENT_U64, ELEMENT_I64, ELEMENT_F16, ELEMENT_BF16, ELEMENT_F32, ELEMENT_COUNT };
unsigned element_bytes(enum element element);

struct candidate_buffer {
	const char *name;
	const char *bytes; /* expression */
	bool filled;       /* set to fill before each call, as part of the call; else poisoned before it */
	uint8_t fill;
};

struct candidate_map {
	const char *name;
	const char *target; /* a tensor of the task, or a buffer */
	bool on_buffer;
	enum element element;
	unsigned rank;
	const char *dims[MAP_RANK_MAX];        /* expressions: elements, the fastest running first */
	const char *strides[MAP_RANK_MAX - 1]; /* expressions: bytes from one to the next along dims[1], dims[2], ... */
	const char *box[MAP_RANK_MAX];
	unsigned swizzle;    /* 0, 32, 64, 128 bytes */
	unsigned interleave; /* 0, 16, 32 bytes */
	unsigned l2;         /* promotion: 0, 64, 128, 256 bytes */
};

enum parameter_kind { PARAMETER_TENSOR, PARAMETER_MAP, PARAMETER_BUFFER, PARAMETER_U32, PARAMETER_U64, PARAMETER_F32, PARAMETER_COUNT };

struct candidate_parameter {
	enum parameter_kind kind;
	const char *text; /* the name; for u32 and u64 an expression, for f32 a decimal number */
};

struct candidate_launch {
	const char *function;
	const char *grid[3], *block[3], *cluster[3]; /* expressions; x, y, z */
	const char *shared;                          /* expression: bytes of dynamic shared memory */
	struct candidate_parameter *parameters;
	size_t parameter_count;
};

struct candidate {
	char *directory; /* beneath the root it was read from */
	char *file;      /* DIRECTORY/candidate.json, for messages */
	const char *task, *name, *label, *arch, *ptx_file, *origin;
	struct candidate_buffer buffers[CANDIDATE_BUFFERS_MAX];
	size_t buffer_count;
	struct candidate_map maps[CANDIDATE_MAPS_MAX];
	size_t map_count;
	struct candidate_launch launches[CANDIDATE_LAUNCHES_MAX];
	size_t launch_count;
	struct bytes json, ptx; /* as they stand in the files */
	struct sha256 id;       /* SHA-256 of: length of ptx (8 bytes, little-endian), ptx, length of json, json */
	cJSON *tree;            /* what the texts above point into */
};

/* directory ends in TASK/NAME, which the file has to repeat. Free with candidate_free. */
enum status candidate_read(const struct root *root, const char *directory, struct candidate **candidate, struct error *err);
/* The same from memory (what a worker gets from its judge); nothing is said of directory but in messages. json and ptx are copied. */
enum status candidate_parse(const char *directory, const void *json, size_t json_len, const void *ptx, size_t ptx_len,
                            struct candidate **candidate, struct error *err);
void candidate_free(struct candidate *candidate); /* NULL is fine */

/* Bytes of a parameter of that kind in a kernel's parameter list: 8, 128, 8, 4, 8, 4. */
unsigned parameter_bytes(enum parameter_kind kind);

/* The PTX is for the candidate's architecture (R_CAN_PTX), and declares every launch's function with parameters of the number and sizes that are given
 * (R_CAN_PARAMETER). What the PTX reader does not take is its error. */
enum status candidate_check_ptx(const struct candidate *candidate, struct error *err);

/* The cubin that was frozen beside the PTX, DIRECTORY/kernel.ARCH.cubin; R_CAN_CUBIN if there is none. */
enum status candidate_frozen_cubin(const struct root *root, const struct candidate *candidate, struct bytes *cubin, struct error *err);

#endif
