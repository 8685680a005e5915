/* Host code becomes data. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "../base/plural.h"
#include "../command.h"
#include "../measure/lower.h"
#include "text.h"

struct options {
	bool dry, json;
};

static void print(const struct lowered *lowered, bool dry)
{
	const struct candidate *candidate = lowered->candidate;
	char hex[SHA256_HEX + 1];
	const struct sha256 hash = sha256_of(lowered->cubin.data, lowered->cubin.len);

	sha256_hex(&hash, hex);
	printf("lowered %s/%s for workload %s\n", candidate->task, candidate->name, candidate->lowering.workload);
	for (size_t i = 0; i < candidate->launch_count; i++) {
		const struct candidate_launch *launch = &candidate->launches[i];

		printf("  launch %zu: ", i);
		report_text(launch->function, stdout);
		printf(", grid %s %s %s, block %s %s %s, cluster %s %s %s, %s bytes of shared memory, %zu parameter%s\n", launch->grid[0], launch->grid[1],
		       launch->grid[2], launch->block[0], launch->block[1], launch->block[2], launch->cluster[0], launch->cluster[1], launch->cluster[2],
		       launch->shared, launch->parameter_count, plural(launch->parameter_count));
	}
	printf("  %zu tensor map%s, %zu buffer%s, %zu answer%s about the device\n  cubin %s%s\n", candidate->map_count, plural(candidate->map_count),
	       candidate->buffer_count, plural(candidate->buffer_count), candidate->lowering.asked_count, plural(candidate->lowering.asked_count), hex, dry ? "\nnothing was written" : "");
}

static enum status lower(const char *directory, const char *dir, const struct options *options)
{
	struct root bundle = {.fd = -1};
	struct nvcc nvcc = {0};
	struct lowered lowered = {0};
	struct error err = {0};
	enum status status = root_open(dir, &bundle, &err);

	if (status == OK)
		status = nvcc_find(&nvcc, &err);
	if (status == OK)
		status = lower_directory(&bundle, directory, &nvcc, NULL, &lowered, &err);
	if (status == OK && !options->dry)
		status = lowered_write(&bundle, &lowered, &err);
	if (status != OK)
		error_print(&err);
	else if (options->json)
		report_json(lowered.tree, stdout);
	else
		print(&lowered, options->dry);
	lowered_free(&lowered);
	nvcc_free(&nvcc);
	root_close(&bundle);
	return status;
}

static enum status run(int argc, char **argv)
{
	static const struct option long_options[] = {{"dry-run", no_argument, NULL, 'd'}, {"json", no_argument, NULL, 'j'}, {0}};
	struct options options = {0};
	char directory[PATH_BYTES_MAX + 1];
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		if (option == 'd')
			options.dry = true;
		else if (option == 'j')
			options.json = true;
		else
			return command_usage(&command_lower, "'%s' is no option", command_option(argc, argv));
	}
	if (argc - optind < 1 || argc - optind > 2)
		return command_usage(&command_lower, "a directory TASK/NAME, and a bundle at most");
	size_t len = strlen(argv[optind]);

	while (len > 0 && argv[optind][len - 1] == '/')
		len--;
	if (len > PATH_BYTES_MAX || !path_valid(argv[optind], len))
		return command_usage(&command_lower, "'%s' is no directory beneath the bundle", argv[optind]);
	memcpy(directory, argv[optind], len);
	directory[len] = '\0';
	return lower(directory, argc - optind == 2 ? argv[optind + 1] : ".", &options);
}

const struct command command_lower = {
	.name = "lower",
	.run = run,
	.usage = "lower [--dry-run] [--json] DIRECTORY [BUNDLE]",
	.summary = "make a candidate as data of a kernel.cu with host code. No GPU",
	.help =
		"DIRECTORY, beneath BUNDLE (the current directory), ends in TASK/NAME and has a kernel.cu\n"
		"that exports run(inputs..., outputs...) through TVM-FFI, and a candidate.json with\n"
		"  {\"schema\":\"ptxseal-candidate/1\",\"task\":...,\"name\":...,\"label\":...,\"arch\":\"sm_90a\",\n"
		"   \"origin\":...,\"lowered\":{\"source\":\"kernel.cu\",\"workload\":\"published\"}}\n"
		"nvcc compiles the source. Its host code is called twice, in a process without GPU, files,\n"
		"network or rights, where CUDA's functions only write down what is asked of them. What was\n"
		"launched becomes launches, tensor maps and buffers of candidate.json; the PTX and its cubin\n"
		"are written beside it. Replays use those, and run no host code.\n"
		"\n"
		"  --dry-run  write nothing\n"
		"  --json     print candidate.json\n"
		"\n"
		"Exits 1 if the source does not compile or its host code does what cannot be data (the rule\n"
		"says what), 3 for a malformed candidate.json, 4 without nvcc, g++ or apache-tvm-ffi.\n",
};
