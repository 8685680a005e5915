#include "sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"
#include "inputs.h"

struct sampling {
	const struct problem *problem;
	uint64_t seed;
	enum value_set values;
};

/* One head's tensors, [S,D] each; the gradient only in backward problems. */
struct head {
	uint64_t number; /* b * H + h; UINT64_MAX: none drawn yet */
	uint64_t length; /* S */
	uint64_t width;  /* D */
	double scale;
	float *q, *k, *v, *gradient;
	double *weight;   /* [S] */
};

uint64_t sample_row_length(const struct tensor *output)
{
	return output->rank == 3 ? 1 : output->dims[output->rank - 1];
}

void sample_input(const struct problem *problem, uint64_t seed, enum value_set values, const char *name, uint64_t first, uint64_t count,
                  float *out)
{
	const struct tensor *tensor = problem_tensor(problem, name);

	philox_values(seed, (uint32_t)(tensor - problem->tensors), first, count, input_values(tensor, values), out);
	for (uint64_t i = 0; i < count; i++) {
		if (tensor->dtype == DTYPE_BF16)
			out[i] = bf16_to_float(bf16_from_float(out[i]));
		else if (tensor->dtype == DTYPE_E4M3)
			out[i] = e4m3_to_float(e4m3_from_float(out[i]));
	}
}

static void draw(const struct sampling *s, const char *name, uint64_t first, uint64_t count, float *out)
{
	sample_input(s->problem, s->seed, s->values, name, first, count, out);
}

static double dot(const float *a, const float *b, uint64_t length)
{
	double sum = 0;

	for (uint64_t i = 0; i < length; i++)
		sum += (double)a[i] * (double)b[i];
	return sum;
}

/* The same of FP8 values, each group of the row with its product of scales. */
static double dot_scaled(const float *a, const float *b, const double *scale, uint64_t length)
{
	double sum = 0;

	for (uint64_t first = 0; first < length; first += SCALE_GROUP)
		sum += scale[first / SCALE_GROUP] * dot(a + first, b + first, length - first < SCALE_GROUP ? length - first : SCALE_GROUP);
	return sum;
}

static double dot_bf16(const float *a, const uint16_t *b, uint64_t length)
{
	double sum = 0;

	for (uint64_t i = 0; i < length; i++)
		sum += (double)a[i] * (double)bf16_to_float(b[i]);
	return sum;
}

static void add_scaled(double *sum, double weight, const float *row, uint64_t length)
{
	for (uint64_t i = 0; i < length; i++)
		sum[i] += weight * (double)row[i];
}

/* The scales' tensors, whole; NULL where the family has none. */
struct scales {
	float *a, *b;
	uint64_t groups;
	double *product; /* of one row of A and one of B, a group each */
};

static float *draw_all(const struct sampling *s, const char *name)
{
	const uint64_t count = problem_tensor(s->problem, name)->count;
	float *all = mem_array(NULL, count, sizeof *all);

	draw(s, name, 0, count, all);
	return all;
}

static void scales_draw(const struct sampling *s, struct scales *scales)
{
	*scales = (struct scales){0};
	if (s->problem->family == FAMILY_GEMM)
		return;
	scales->groups = (problem_axis(s->problem, "K") + SCALE_GROUP - 1) / SCALE_GROUP;
	scales->a = draw_all(s, "A_scale");
	scales->b = draw_all(s, "B_scale");
	scales->product = mem_array(NULL, scales->groups, sizeof *scales->product);
}

static void scales_multiply(const struct problem *problem, struct scales *scales, uint64_t row, uint64_t column)
{
	const uint64_t m = problem_axis(problem, "M"), n = problem_axis(problem, "N");

	for (uint64_t g = 0; g < scales->groups; g++) {
		const uint64_t at = problem->family == FAMILY_GEMM_1D1D ? g * n + column : column / SCALE_GROUP * scales->groups + g;

		scales->product[g] = (double)scales->a[g * m + row] * (double)scales->b[at];
	}
}

/* B is drawn once, a row at a time. */
static void gemm_rows(const struct sampling *s, const uint64_t *rows, size_t count, double *out)
{
	const uint64_t n = problem_axis(s->problem, "N");
	const uint64_t k = problem_axis(s->problem, "K");
	float *a = mem_array(NULL, count * k, sizeof *a);
	float *b = mem_array(NULL, k, sizeof *b);
	struct scales scales;

	scales_draw(s, &scales);
	for (size_t i = 0; i < count; i++)
		draw(s, "A", rows[i] * k, k, a + i * k);
	for (uint64_t j = 0; j < n; j++) {
		draw(s, "B", j * k, k, b);
		for (size_t i = 0; i < count; i++) {
			scales_multiply(s->problem, &scales, rows[i], j);
			out[i * n + j] = scales.groups == 0 ? dot(a + i * k, b, k) : dot_scaled(a + i * k, b, scales.product, k);
		}
	}
	free(scales.a);
	free(scales.b);
	free(scales.product);
	free(a);
	free(b);
}

static void head_draw(const struct sampling *s, struct head *head, uint64_t number)
{
	const uint64_t count = head->length * head->width;

	if (head->number == number)
		return;
	head->number = number;
	draw(s, "Q", number * count, count, head->q);
	draw(s, "K", number * count, count, head->k);
	draw(s, "V", number * count, count, head->v);
	if (s->problem->family == FAMILY_ATTENTION_BACKWARD)
		draw(s, "dO", number * count, count, head->gradient);
}

static double score(const struct head *head, uint64_t query, uint64_t key)
{
	return head->scale * dot(head->q + query * head->width, head->k + key * head->width, head->width);
}

/* softmax(scores) V, and ln sum exp of the scores. Either result may be NULL. */
static void forward_row(const struct head *head, uint64_t query, uint64_t keys, double *o, double *lse)
{
	double largest = -INFINITY;
	double total = 0;

	for (uint64_t key = 0; key < keys; key++) {
		head->weight[key] = score(head, query, key);
		largest = fmax(largest, head->weight[key]);
	}
	for (uint64_t key = 0; key < keys; key++) {
		head->weight[key] = exp(head->weight[key] - largest);
		total += head->weight[key];
	}
	if (lse != NULL)
		*lse = largest + log(total);
	if (o == NULL)
		return;
	memset(o, 0, head->width * sizeof *o);
	for (uint64_t key = 0; key < keys; key++)
		add_scaled(o, head->weight[key] / total, head->v + key * head->width, head->width);
}

/* P and dS of one query and key. */
struct pair {
	double p;
	double ds;
};

static struct pair backward_pair(const struct head *head, const struct sample_head *given, uint64_t query, uint64_t key)
{
	const float *gradient = head->gradient + query * head->width;
	const double row_sum = dot_bf16(gradient, given->o + query * head->width, head->width);
	const double p = exp(score(head, query, key) - (double)given->l[query]);
	const double dp = dot(gradient, head->v + key * head->width, head->width);

	return (struct pair){p, p * (dp - row_sum)};
}

/* dQ = scale dS K, dK = scale dS^T Q, dV = P^T dO. output is "dQ", "dK" or "dV". */
static void backward_row(const struct head *head, const struct sample_head *given, bool causal, const char *output, uint64_t row, double *out)
{
	const bool of_query = strcmp(output, "dQ") == 0;
	const bool of_value = strcmp(output, "dV") == 0;
	const uint64_t first = causal && !of_query ? row : 0;
	const uint64_t end = causal && of_query ? row + 1 : head->length;

	memset(out, 0, head->width * sizeof *out);
	for (uint64_t other = first; other < end; other++) {
		const struct pair pair = of_query ? backward_pair(head, given, row, other) : backward_pair(head, given, other, row);
		const float *summed = of_query ? head->k : of_value ? head->gradient : head->q;

		add_scaled(out, of_value ? pair.p : head->scale * pair.ds, summed + other * head->width, head->width);
	}
}

static void attention_rows(const struct sampling *s, const char *output, const uint64_t *rows, size_t count, const struct sample_head *given,
                           double *out)
{
	const uint64_t length = problem_axis(s->problem, "S");
	const uint64_t width = problem_axis(s->problem, "D");
	const uint64_t size = length * width;
	float *tensors = mem_array(NULL, 4 * size, sizeof *tensors);
	struct head head = {
		.number = UINT64_MAX,
		.length = length,
		.width = width,
		.scale = 1 / sqrt((double)width),
		.q = tensors,
		.k = tensors + size,
		.v = tensors + 2 * size,
		.gradient = tensors + 3 * size,
		.weight = mem_array(NULL, length, sizeof *head.weight),
	};
	const bool lse = strcmp(output, "LSE") == 0;

	for (size_t i = 0; i < count; i++) {
		const uint64_t row = rows[i] % length;

		head_draw(s, &head, rows[i] / length);
		if (s->problem->family == FAMILY_ATTENTION_BACKWARD)
			backward_row(&head, given, s->problem->causal, output, row, out + i * width);
		else
			forward_row(&head, row, s->problem->causal ? row + 1 : length, lse ? NULL : out + i * width, lse ? out + i : NULL);
	}
	free(tensors);
	free(head.weight);
}

void sample_rows(const struct problem *problem, uint64_t seed, enum value_set values, const char *output, const uint64_t *rows, size_t count,
                 const struct sample_head *head, double *out)
{
	const struct sampling sampling = {problem, seed, values};

	if (problem_is_gemm(problem))
		gemm_rows(&sampling, rows, count, out);
	else
		attention_rows(&sampling, output, rows, count, head, out);
}
