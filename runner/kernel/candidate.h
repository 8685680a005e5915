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
	CANDIDATE_PATCHES_MAX = 64,    /* addresses and maps within one parameter of bytes */
	CANDIDATE_ASKED_MAX = 128,
	CANDIDATE_SOURCE_MAX = 4 << 20,
	MAP_RANK_MAX = 5,
	MAP_BYTES = 128,               /* of a CUtensorMap */
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
	const char *plus;   /* expression: bytes from the target's start; NULL = 0 */
	enum element element;
	unsigned rank;
	const char *dims[MAP_RANK_MAX];        /* expressions: elements, the fastest running first */
	const char *strides[MAP_RANK_MAX - 1]; /* expressions: bytes from one to the next along dims[1], dims[2], ... */
	const char *box[MAP_RANK_MAX];
	unsigned swizzle;    /* 0, 32, 64, 128 bytes */
	unsigned interleave; /* 0, 16, 32 bytes */
	unsigned l2;         /* promotion: 0, 64, 128, 256 bytes */
};

enum parameter_kind {
	PARAMETER_TENSOR,
	PARAMETER_MAP,
	PARAMETER_BUFFER,
	PARAMETER_U32,
	PARAMETER_U64,
	PARAMETER_F32,
	PARAMETER_BYTES,
	PARAMETER_COUNT
};

/* An address or a map that stands within a parameter of bytes, over those bytes. */
struct candidate_patch {
	uint32_t offset;          /* a multiple of 8, of 64 for a map */
	enum parameter_kind kind; /* PARAMETER_TENSOR, _MAP, _BUFFER */
	const char *name;
	const char *plus;
};

struct candidate_parameter {
	enum parameter_kind kind;
	const char *text; /* the name; for u32 and u64 an expression, for f32 a decimal number, for bytes lower-case hexadecimal digits */
	const char *plus; /* PARAMETER_TENSOR, _BUFFER: expression, bytes from the start; NULL = 0 */
	struct candidate_patch *patches; /* PARAMETER_BYTES: do not overlap */
	size_t patch_count;
};

struct candidate_launch {
	const char *function;
	const char *grid[3], *block[3], *cluster[3]; /* expressions; x, y, z */
	const char *shared;                          /* expression: bytes of dynamic shared memory */
	struct candidate_parameter *parameters;
	size_t parameter_count;
};

/* What host code was told of the device, by the driver's number of the attribute (CUdevice_attribute). */
struct candidate_asked {
	int attribute;
	int64_t value;
};

/* How a kernel.cu with host code became this data (docs/measure.md, "kernel.cu"). */
struct candidate_lowering {
	const char *source;      /* file beside candidate.json */
	struct sha256 hash;      /* of it */
	const char *workload;    /* UUID of the only workload that the data is for */
	struct candidate_asked asked[CANDIDATE_ASKED_MAX];
	size_t asked_count;
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
	bool is_lowered;
	struct candidate_lowering lowering; /* if is_lowered */
	struct bytes json, ptx; /* as they stand in the files */
	struct bytes source;    /* of a lowered candidate that was read from a directory */
	struct sha256 id;       /* SHA-256 of: length of ptx (8 bytes, little-endian), ptx, length of json, json */
	cJSON *tree;            /* what the texts above point into */
};

/* directory ends in TASK/NAME, which the file has to repeat. A lowered candidate's source has to be the one that was lowered (R_LOW_SOURCE). Free with
 * candidate_free. */
enum status candidate_read(const struct root *root, const char *directory, struct candidate **candidate, struct error *err);
/* The same from memory (what a worker gets from its judge); nothing is said of directory but in messages. json and ptx are copied. */
enum status candidate_parse(const char *directory, const void *json, size_t json_len, const void *ptx, size_t ptx_len,
                            struct candidate **candidate, struct error *err);
void candidate_free(struct candidate *candidate); /* NULL is fine */

/* The directory ends in TASK/NAME. candidate_read has seen to it. */
bool candidate_stands_in(const struct candidate *candidate);

/* Bytes of the parameter in a kernel's parameter list: by its kind 8, 128, 8, 4, 8, 4, or what it has. */
unsigned parameter_bytes(const struct candidate_parameter *parameter);

/* The PTX is for the candidate's architecture (R_CAN_PTX), and declares every launch's function with parameters of the number and sizes that are given
 * (R_CAN_PARAMETER). What the PTX reader does not take is its error. */
enum status candidate_check_ptx(const struct candidate *candidate, struct error *err);

/* The cubin that was frozen beside the PTX, DIRECTORY/kernel.ARCH.cubin; R_CAN_CUBIN if there is none. */
enum status candidate_frozen_cubin(const struct root *root, const struct candidate *candidate, struct bytes *cubin, struct error *err);

#endif
