/*
 * Chosen rows of a problem's outputs in fp64, on the CPU, from the inputs that philox.h draws: what the GPU's reference (support.h) is checked
 * against. Plain formulas of docs/tasks.md, row by row; nothing is shared with the kernels but the drawing of inputs.
 */
#ifndef PTXSEAL_MEASURE_SAMPLE_H
#define PTXSEAL_MEASURE_SAMPLE_H

#include "philox.h"
#include "problem.h"

/* Backward's inputs that do not follow from the seed alone, of the one head that the rows lie in: they are checked as the forward problem's
 * outputs, and taken as they are here. */
struct sample_head {
	const uint16_t *o; /* bf16 [S,D] */
	const float *l;    /* [S] */
};

/* Elements of a row: the output's last dimension; 1 for LSE. Rows are counted through all the other dimensions. */
uint64_t sample_row_length(const struct tensor *output);

/* The named output's rows into out, one after the other. Rows in ascending order cost least. head: for backward problems, whose rows must all
 * lie in that head; else NULL. */
void sample_rows(const struct problem *problem, uint64_t seed, enum value_set values, const char *output, const uint64_t *rows, size_t count,
                 const struct sample_head *head, double *out);

/* Elements first to first + count - 1 of a seeded tensor, rounded to its type. */
void sample_input(const struct problem *problem, uint64_t seed, enum value_set values, const char *name, uint64_t first, uint64_t count,
                  float *out);

#endif
