/* Sampled rows against a separate numpy computation in matrix form (tests/judges checks those formulas against autograd), on problems small
 * enough to write the result out. Seed 11, normal values. */
#include "unit.h"

#include <math.h>

#include "measure/sample.h"

static const double close_enough = 1e-13; /* fp64 sums of at most four products, summed in another order */

static const struct problem gemm = {
	.family = FAMILY_GEMM,
	.axes = {{"M", 2}, {"N", 2}, {"K", 3}},
	.axis_count = 3,
	.tensors = {{.name = "A", .dtype = DTYPE_BF16, .rank = 2, .dims = {2, 3}, .count = 6, .bytes = 12},
                    {.name = "B", .dtype = DTYPE_BF16, .rank = 2, .dims = {2, 3}, .count = 6, .bytes = 12},
                    {.name = "C", .dtype = DTYPE_BF16, .output = true, .rank = 2, .dims = {2, 2}, .count = 4, .bytes = 8}},
	.tensor_count = 3,
};

#define BHSD .rank = 4, .dims = {1, 2, 3, 4}, .count = 24, .bytes = 48
#define BHS .dtype = DTYPE_F32, .rank = 3, .dims = {1, 2, 3}, .count = 6, .bytes = 24
#define ATTENTION_AXES .axes = {{"B", 1}, {"H", 2}, {"S", 3}, {"D", 4}}, .axis_count = 4

static struct problem forward = {
	.family = FAMILY_ATTENTION_FORWARD,
	ATTENTION_AXES,
	.tensors = {{.name = "Q", BHSD}, {.name = "K", BHSD}, {.name = "V", BHSD}, {.name = "O", .output = true, BHSD}, {.name = "LSE", .output = true, BHS}},
	.tensor_count = 5,
};

static struct problem backward = {
	.family = FAMILY_ATTENTION_BACKWARD,
	ATTENTION_AXES,
	.tensors = {{.name = "Q", BHSD},
                    {.name = "K", BHSD},
                    {.name = "V", BHSD},
                    {.name = "O", .computed = true, BHSD},
                    {.name = "dO", BHSD},
                    {.name = "L", .computed = true, BHS},
                    {.name = "dQ", .output = true, BHSD},
                    {.name = "dK", .output = true, BHSD},
                    {.name = "dV", .output = true, BHSD}},
	.tensor_count = 9,
};

static void assert_row(const double *got, const double *want, size_t count)
{
	for (size_t i = 0; i < count; i++)
		assert_true(fabs(got[i] - want[i]) < close_enough);
}

static void rows_are_as_long_as_the_last_dimension(void **state)
{
	(void)state;
	assert_int_equal(sample_row_length(problem_tensor(&gemm, "C")), 2);
	assert_int_equal(sample_row_length(problem_tensor(&forward, "O")), 4);
	assert_int_equal(sample_row_length(problem_tensor(&forward, "LSE")), 1);
}

static void matrix_product(void **state)
{
	(void)state;
	static const double want[] = {3.5693283081054688, 2.84564208984375, -0.4307384490966797, 0.7578277587890625};
	double got[4];

	sample_rows(&gemm, 11, VALUES_NORMAL, "C", (const uint64_t[]){1, 0}, 2, NULL, got);
	assert_row(got, want, 4);
}

/* FP8 and scales: two groups of 128 along K; B's 130 rows are two blocks. Separate Python drew, rounded and multiplied. */
static void scaled_matrix_product(void **state)
{
	(void)state;
	enum { M = 2, N = 130, K = 256, G = 2, P = 2 };
	struct problem fp8 = {
		.axes = {{"M", M}, {"N", N}, {"K", K}},
		.axis_count = 3,
		.tensors = {{.name = "A", .dtype = DTYPE_E4M3, .rank = 2, .dims = {M, K}, .count = M * K, .bytes = M * K},
	                    {.name = "B", .dtype = DTYPE_E4M3, .rank = 2, .dims = {N, K}, .count = N * K, .bytes = N * K},
	                    {.name = "A_scale", .dtype = DTYPE_F32, .scale = true, .rank = 2, .dims = {G, M}, .count = G * M, .bytes = 4 * G * M},
	                    {.name = "B_scale", .dtype = DTYPE_F32, .scale = true, .rank = 2},
	                    {.name = "C", .dtype = DTYPE_BF16, .output = true, .rank = 2, .dims = {M, N}, .count = M * N, .bytes = 2 * M * N}},
		.tensor_count = 5,
	};
	static const int columns[] = {0, 1, 128, 129};
	static const double want[2][4] = {
		{-0.16945940661140552, 0.13985209276706642, 0.0702394614615881, 0.47487930120038635},
		{-0.17406500204180908, 0.24697834152447942, -0.14525686314276734, 0.3146703242919338},
	};
	static const double other_row[2] = {0.11849480995421341, -0.02655502105627594};
	double got[M * N];

	for (int blocks = 0; blocks < 2; blocks++) {
		fp8.family = blocks ? FAMILY_GEMM_1D2D : FAMILY_GEMM_1D1D;
		fp8.tensors[3].count = blocks ? P * G : G * N;
		sample_rows(&fp8, 11, VALUES_NORMAL, "C", (const uint64_t[]){0, 1}, 2, NULL, got);
		for (int i = 0; i < 4; i++)
			assert_true(fabs(got[N + columns[i]] - want[blocks][i]) < close_enough);
		assert_true(fabs(got[129] - other_row[blocks]) < close_enough);
	}
}

/* Row 4 is head 1's query 1. */
static void attention_forward(void **state)
{
	(void)state;
	static const double o[2][4] = {
		{0.1251565491188012, -0.056551094286581595, 0.130222898226944, 0.6089521273208293},
		{0.11962890625, -0.08360033165191078, -0.07165267993411077, 0.6422405996530139},
	};
	static const double lse[2][3] = {
		{1.4681082168996298, 1.1119114472092466, 1.2353968488032803},
		{-1.0681571960449219, 0.8988731779221946, 1.2353968488032803},
	};

	for (int causal = 0; causal < 2; causal++) {
		double got[4];

		forward.causal = causal;
		sample_rows(&forward, 11, VALUES_NORMAL, "O", (const uint64_t[]){4}, 1, NULL, got);
		assert_row(got, o[causal], 4);
		sample_rows(&forward, 11, VALUES_NORMAL, "LSE", (const uint64_t[]){3, 4, 5}, 3, NULL, got);
		assert_row(got, lse[causal], 3);
	}
}

static void attention_backward(void **state)
{
	(void)state;
	static const uint16_t o[2][12] = {
		{0x3e0a, 0x3dec, 0x3f10, 0x3f46, 0x3e00, 0xbd68, 0x3e05, 0x3f1c, 0x3e03, 0xbdf1, 0x3e29, 0x3eef},
		{0x3df5, 0xbf11, 0xbeda, 0xbe49, 0x3df5, 0xbdab, 0xbd93, 0x3f24, 0x3e03, 0xbdf1, 0x3e29, 0x3eef},
	};
	static const float l[2][3] = {
		{0x1.77d5fp+0f, 0x1.1ca63ap+0f, 0x1.3c42f8p+0f},
		{-0x1.1172cp+0f, 0x1.cc391ap-1f, 0x1.3c42f8p+0f},
	};
	static const char *const outputs[] = {"dQ", "dK", "dV"};
	static const double want[2][3][4] = {
		{{0.17656792263477875, -0.17182686782753645, -0.08944505541678939, 0.033702843850182275},
                 {-0.16279332898694496, -0.12376133966439938, -0.2918894561649649, -0.07316717422403368},
                 {-1.0040252339466211, -0.11190892236883503, -0.8703414239599385, -0.3148800758520907}},
		{{0.12104580984216452, -0.124512416500392, 0.0515344596255515, 0.15490038334844747},
                 {0.0181076785292232, -0.09817591520735909, -0.06180382997221133, 0.016462536000190025},
                 {-1.0454843631088215, 0.4143737045114234, -0.6657995678266885, 0.17477916963889747}},
	};

	for (int causal = 0; causal < 2; causal++) {
		const struct sample_head head = {o[causal], l[causal]};

		backward.causal = causal;
		for (int i = 0; i < 3; i++) {
			double got[4];

			sample_rows(&backward, 11, VALUES_NORMAL, outputs[i], (const uint64_t[]){4}, 1, &head, got);
			assert_row(got, want[causal][i], 4);
		}
	}
}

/* The inputs are those that the task's type holds. */
static void inputs_are_rounded(void **state)
{
	(void)state;
	float got[2];

	sample_input(&gemm, 42, VALUES_NORMAL, "B", 0, 2, got); /* -0x1.d16818p+0 and -0x1.aa36e8p-1 before rounding */
	assert_true(got[0] == -0x1.d2p+0f && got[1] == -0x1.aap-1f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_as_long_as_the_last_dimension),
		cmocka_unit_test(matrix_product), cmocka_unit_test(scaled_matrix_product),
		cmocka_unit_test(attention_forward),
		cmocka_unit_test(attention_backward),
		cmocka_unit_test(inputs_are_rounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
