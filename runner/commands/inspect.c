#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"
#include "../base/file.h"
#include "../base/plural.h"
#include "../command.h"
#include "../kernel/binary.h"
#include "../kernel/census.h"
#include "../kernel/ptx.h"
#include "../kernel/toolchain.h"
#include "report.h"

enum { FILE_BYTES_MAX = 1 << 29, OPCODES_SHOWN = 8 };

struct options {
	bool json;
	bool list;
	bool header;
	const char *arch;
	const char *file;
};

/* ---- text ---- */

static void print_census(const struct census *census)
{
	if (census->lines == 0)
		puts("  no instruction of the target families");
	else
		printf("  %-8s %-46s %7s %6s %6s %8s %16s\n", "group", "instruction", "count", "null", "never", "guarded",
		       "operations/warp");
	for (size_t i = 0; i < census->lines; i++) {
		const struct census_line *line = &census->line[i];

		printf("  %-8s %-46s %7" PRIu64 " %6" PRIu64 " %6" PRIu64 " %8" PRIu64, sass_group_name(sass_group_of(line->family)),
		       line->text, line->count, line->null, line->never, line->guarded);
		if (!line->operations_known)
			printf(" %16s\n", "not in the code");
		else if (line->operations != 0)
			printf(" %16" PRIu64 "\n", line->operations);
		else
			printf(" %16s\n", "-");
	}
	printf("  most frequent:");
	for (size_t i = 0; i < census->opcodes && i < OPCODES_SHOWN; i++)
		printf("%s %s %" PRIu64, i == 0 ? "" : ",", census->opcode[i].name, census->opcode[i].count);
	puts("");
}

static void print_list(const struct cubin *cubin, const struct cubin_function *function)
{
	for (uint64_t at = 0; at < function->size; at += SASS_BYTES) {
		struct sass sass;
		char guard[8];

		sass_read(cubin_code(cubin, function) + at, cubin->sm, &sass);
		sass_guard_text(&sass, guard);
		printf("  %04" PRIx64 "  %s%s%s%s%s\n", at, guard, sass.text, sass.null ? "  null" : "",
		       sass.overwrite ? "  overwrites" : "",
		       sass.family != SASS_OTHER && !sass.known ? "  not understood" : "");
	}
}

static void print_function(const struct cubin *cubin, const struct cubin_function *function, const struct options *options)
{
	struct census census;

	census_function(cubin, function, &census);
	printf("\n%s %s: %" PRIu64 " instructions", function->entry ? "entry" : "function", function->name,
	       census.instructions);
	if (function->inner > 0)
		printf(" with %zu function%s it calls", function->inner, plural(function->inner));
	if (function->has_registers)
		printf(", %" PRIu32 " registers", function->registers);
	if (function->has_parameters)
		printf(", %" PRIu32 " bytes of parameters", function->parameters);
	printf(", %" PRIu64 " bytes of static shared memory\n", function->shared);
	if (options->list)
		print_list(cubin, function);
	else
		print_census(&census);
	census_free(&census);
}

static void print_cubin(const struct cubin *cubin, const struct options *options)
{
	char hex[SHA256_HEX + 1];

	sha256_hex(&cubin->hash, hex);
	printf("cubin for %s%s, %zu function%s, sha256 %s\n", cubin->arch, cubin->relocatable ? ", not linked" : "",
	       cubin->count, plural(cubin->count), hex);
	for (size_t i = 0; i < cubin->count; i++)
		print_function(cubin, &cubin->at[i], options);
}

static void print_image(const struct binary_image *image, const struct options *options)
{
	const struct fatbin_image *from = &image->from;

	printf("byte %" PRIu64 ": ", from->offset);
	if (image->readable)
		print_cubin(&image->cubin, options);
	else
		printf("%s for sm_%u%s, not read\n",
		       from->kind == FATBIN_PTX ? "PTX" : from->kind == FATBIN_CUBIN ? "cubin" : "image of an unknown kind", from->sm,
		       from->compressed ? ", compressed" : "");
}

static void print_binary(const struct binary *binary, const struct options *options)
{
	if (binary->wrapping == BINARY_CUBIN) {
		print_cubin(&binary->at[0].cubin, options);
		return;
	}
	printf("fat binary of %zu image%s\n", binary->count, plural(binary->count));
	for (size_t i = 0; i < binary->count; i++) {
		puts("");
		print_image(&binary->at[i], options);
	}
}

static void print_ptx(const struct ptx *ptx)
{
	printf("PTX %u.%u for %s, %u-bit addresses, %zu entr%s\n", ptx->major, ptx->minor, ptx->target, ptx->address_size,
	       ptx->entries, plural_y(ptx->entries));
	for (size_t i = 0; i < ptx->entries; i++) {
		const struct ptx_entry *entry = &ptx->entry[i];

		printf("\nline %" PRIu64 ": %s%s, %" PRIu32 " bytes of parameters\n", entry->line, entry->name,
		       entry->visible ? "" : " (not visible)", entry->size);
		for (size_t p = 0; p < entry->parameters; p++) {
			const struct ptx_parameter *parameter = &entry->parameter[p];

			printf("  %5" PRIu32 "  %s %s", parameter->offset, parameter->type, parameter->name);
			if (parameter->array)
				printf("[%" PRIu32 "]", parameter->count);
			printf("  %" PRIu32 " bytes, aligned to %" PRIu32 "\n", parameter->size, parameter->alignment);
		}
	}
}

static void print_toolchain(const struct toolchain *toolchain, const struct assembly *assembly)
{
	char hex[SHA256_HEX + 1];

	sha256_hex(&toolchain->hash, hex);
	printf("\nptxas %s, sha256 %s\n", toolchain->version, hex);
	for (const char *line = assembly->report.data; line != NULL && *line != '\0';) {
		size_t len = strcspn(line, "\n");
		char *text = mem_textn(line, len);

		printf("  ");
		report_text(text, stdout);
		puts("");
		free(text);
		line += len + (line[len] == '\n');
	}
	puts("");
}

/* ---- JSON ---- */

static void add_number(cJSON *object, const char *name, uint64_t value)
{
	cJSON_AddNumberToObject(object, name, (double)value);
}

static cJSON *line_json(const struct census_line *line)
{
	cJSON *item = cJSON_CreateObject();

	add_number(item, "count", line->count);
	cJSON_AddStringToObject(item, "family", sass_family_name(line->family));
	cJSON_AddStringToObject(item, "group", sass_group_name(sass_group_of(line->family)));
	add_number(item, "guarded", line->guarded);
	cJSON_AddStringToObject(item, "instruction", line->text);
	add_number(item, "never", line->never);
	add_number(item, "null", line->null);
	if (line->operations_known)
		add_number(item, "operations_per_warp", line->operations);
	else
		cJSON_AddNullToObject(item, "operations_per_warp");
	return item;
}

static void add_census(cJSON *object, const struct census *census)
{
	cJSON *lines = cJSON_AddArrayToObject(object, "census");
	cJSON *opcodes = cJSON_AddArrayToObject(object, "opcodes");

	for (size_t i = 0; i < census->lines; i++)
		cJSON_AddItemToArray(lines, line_json(&census->line[i]));
	for (size_t i = 0; i < census->opcodes; i++) {
		cJSON *item = cJSON_CreateObject();

		add_number(item, "count", census->opcode[i].count);
		cJSON_AddStringToObject(item, "name", census->opcode[i].name);
		add_number(item, "number", census->opcode[i].number);
		cJSON_AddItemToArray(opcodes, item);
	}
	add_number(object, "instructions", census->instructions);
	add_number(object, "unnamed_instructions", census->unnamed);
}

static cJSON *list_json(const struct cubin *cubin, const struct cubin_function *function)
{
	cJSON *list = cJSON_CreateArray();

	for (uint64_t at = 0; at < function->size; at += SASS_BYTES) {
		cJSON *item = cJSON_CreateObject();
		struct sass sass;
		char guard[8];
		uint64_t operations;

		sass_read(cubin_code(cubin, function) + at, cubin->sm, &sass);
		sass_guard_text(&sass, guard);
		guard[strcspn(guard, " ")] = '\0';
		cJSON_AddStringToObject(item, "family", sass_family_name(sass.family));
		cJSON_AddStringToObject(item, "guard", guard);
		cJSON_AddBoolToObject(item, "null", sass.null);
		add_number(item, "offset", at);
		if (sass_operations(&sass, &operations))
			add_number(item, "operations_per_warp", operations);
		else
			cJSON_AddNullToObject(item, "operations_per_warp");
		cJSON_AddBoolToObject(item, "overwrite", sass.overwrite);
		cJSON_AddStringToObject(item, "text", sass.text);
		cJSON_AddBoolToObject(item, "understood", sass.known);
		add_number(item, "width", sass.width);
		cJSON_AddItemToArray(list, item);
	}
	return list;
}

static cJSON *function_json(const struct cubin *cubin, const struct cubin_function *function, const struct options *options)
{
	cJSON *item = cJSON_CreateObject();
	struct census census;

	census_function(cubin, function, &census);
	add_census(item, &census);
	census_free(&census);
	cJSON_AddBoolToObject(item, "entry", function->entry);
	add_number(item, "inner_functions", function->inner);
	if (options->list)
		cJSON_AddItemToObject(item, "list", list_json(cubin, function));
	cJSON_AddStringToObject(item, "name", function->name);
	add_number(item, "offset", function->offset);
	if (function->has_parameters)
		add_number(item, "parameter_bytes", function->parameters);
	if (function->has_registers)
		add_number(item, "registers", function->registers);
	add_number(item, "shared_bytes", function->shared);
	add_number(item, "size", function->size);
	return item;
}

static void add_cubin(cJSON *object, const struct cubin *cubin, const struct options *options)
{
	char hex[SHA256_HEX + 1];
	struct census census;
	cJSON *functions = cJSON_AddArrayToObject(object, "functions");

	for (size_t i = 0; i < cubin->count; i++)
		cJSON_AddItemToArray(functions, function_json(cubin, &cubin->at[i], options));
	sha256_hex(&cubin->hash, hex);
	census_cubin(cubin, &census);
	add_census(object, &census);
	census_free(&census);
	cJSON_AddStringToObject(object, "arch", cubin->arch);
	cJSON_AddBoolToObject(object, "linked", !cubin->relocatable);
	cJSON_AddStringToObject(object, "sha256", hex);
}

static cJSON *image_json(const struct binary_image *image, const struct options *options)
{
	static const char *const kinds[] = {"unknown", "ptx", "cubin"};
	const struct fatbin_image *from = &image->from;
	cJSON *item = cJSON_CreateObject();

	cJSON_AddBoolToObject(item, "compressed", from->compressed);
	cJSON_AddStringToObject(item, "kind", kinds[from->kind]);
	add_number(item, "offset", from->offset);
	add_number(item, "size", from->size);
	if (image->readable)
		add_cubin(item, &image->cubin, options);
	else
		add_number(item, "sm", from->sm);
	return item;
}

static cJSON *binary_json(const struct binary *binary, const struct options *options)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < binary->count; i++)
		cJSON_AddItemToArray(list, image_json(&binary->at[i], options));
	return list;
}

static cJSON *parameter_json(const struct ptx_parameter *parameter)
{
	cJSON *item = cJSON_CreateObject();

	add_number(item, "align", parameter->alignment);
	cJSON_AddBoolToObject(item, "array", parameter->array);
	cJSON_AddStringToObject(item, "name", parameter->name);
	add_number(item, "offset", parameter->offset);
	add_number(item, "size", parameter->size);
	cJSON_AddStringToObject(item, "type", parameter->type);
	return item;
}

static cJSON *ptx_json(const struct ptx *ptx)
{
	cJSON *item = cJSON_CreateObject();
	cJSON *entries = cJSON_AddArrayToObject(item, "entries");
	char version[32];

	for (size_t i = 0; i < ptx->entries; i++) {
		const struct ptx_entry *entry = &ptx->entry[i];
		cJSON *one = cJSON_CreateObject();
		cJSON *parameters = cJSON_AddArrayToObject(one, "parameters");

		for (size_t p = 0; p < entry->parameters; p++)
			cJSON_AddItemToArray(parameters, parameter_json(&entry->parameter[p]));
		add_number(one, "line", entry->line);
		cJSON_AddStringToObject(one, "name", entry->name);
		add_number(one, "parameter_bytes", entry->size);
		cJSON_AddBoolToObject(one, "visible", entry->visible);
		cJSON_AddItemToArray(entries, one);
	}
	snprintf(version, sizeof version, "%u.%u", ptx->major, ptx->minor);
	add_number(item, "address_size", ptx->address_size);
	cJSON_AddStringToObject(item, "target", ptx->target);
	cJSON_AddStringToObject(item, "version", version);
	return item;
}

static cJSON *toolchain_json(const struct toolchain *toolchain, const struct assembly *assembly)
{
	cJSON *item = cJSON_CreateObject();
	char hex[SHA256_HEX + 1];

	sha256_hex(&toolchain->hash, hex);
	cJSON_AddStringToObject(item, "report", assembly->report.len > 0 ? assembly->report.data : "");
	cJSON_AddStringToObject(item, "sha256", hex);
	cJSON_AddStringToObject(item, "version", toolchain->version);
	return item;
}

/* ---- what is done ---- */

static enum status inspect_binary(const uint8_t *data, size_t len, const struct options *options, cJSON *tree,
                                  struct error *err)
{
	struct binary binary;
	enum status status = binary_read(data, len, options->file, &binary, err);

	if (status != OK)
		return status;
	if (options->json)
		cJSON_AddItemToObject(tree, "images", binary_json(&binary, options));
	else
		print_binary(&binary, options);
	binary_free(&binary);
	return OK;
}

/* Reports nothing unless all of it worked: half a report followed by an error would be read as a whole one. */
static enum status assemble(const char *text, size_t len, const struct ptx *ptx, const struct options *options, cJSON *tree,
                            struct error *err)
{
	const char *arch = options->arch != NULL ? options->arch : ptx->target;
	struct toolchain toolchain;
	struct assembly assembly = {0};
	struct binary binary = {0};
	enum status status = toolchain_find(&toolchain, err);

	if (status != OK)
		return status;
	status = toolchain_assemble(&toolchain, text, len, options->file, arch, &assembly, err);
	if (status == OK)
		status = binary_read((const uint8_t *)assembly.cubin.data, assembly.cubin.len, options->file, &binary, err);
	if (status == OK && options->json) {
		cJSON_AddItemToObject(tree, "images", binary_json(&binary, options));
		cJSON_AddItemToObject(tree, "ptx", ptx_json(ptx));
		cJSON_AddItemToObject(tree, "ptxas", toolchain_json(&toolchain, &assembly));
	} else if (status == OK) {
		print_ptx(ptx);
		print_toolchain(&toolchain, &assembly);
		print_binary(&binary, options);
	}
	binary_free(&binary);
	assembly_free(&assembly);
	toolchain_free(&toolchain);
	return status;
}

static enum status inspect_ptx(const char *text, size_t len, const struct options *options, cJSON *tree, struct error *err)
{
	struct ptx ptx;
	enum status status = ptx_read(text, len, options->file, &ptx, err);

	if (status != OK)
		return status;
	if (!options->header)
		status = assemble(text, len, &ptx, options, tree, err);
	else if (options->json)
		cJSON_AddItemToObject(tree, "ptx", ptx_json(&ptx));
	else
		print_ptx(&ptx);
	ptx_free(&ptx);
	return status;
}

static enum status inspect(const struct options *options)
{
	struct bytes data = {0};
	struct error err;
	cJSON *tree = options->json ? cJSON_CreateObject() : NULL;
	enum status status = file_read(options->file, FILE_BYTES_MAX, &data, &err);

	if (options->json)
		cJSON_AddStringToObject(tree, "schema", "urn:ptxseal:inspect/v1");
	if (status == OK && binary_is((const uint8_t *)data.data, data.len))
		status = inspect_binary((const uint8_t *)data.data, data.len, options, tree, &err);
	else if (status == OK)
		status = inspect_ptx(data.data != NULL ? data.data : "", data.len, options, tree, &err);
	if (status != OK)
		error_print(&err);
	else if (options->json)
		report_json(tree, stdout);
	cJSON_Delete(tree);
	bytes_free(&data);
	return status;
}

static enum status run(int argc, char **argv)
{
	static const struct option long_options[] = {
		{"arch", required_argument, NULL, 'a'},
		{"header", no_argument, NULL, 'h'},
		{"json", no_argument, NULL, 'j'},
		{"list", no_argument, NULL, 'l'},
		{0},
	};
	struct options options = {0};
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
		switch (option) {
		case 'a':
			options.arch = optarg;
			break;
		case 'h':
			options.header = true;
			break;
		case 'j':
			options.json = true;
			break;
		case 'l':
			options.list = true;
			break;
		case ':':
			return command_usage(&command_inspect, "'%s' needs an architecture", command_option(argc, argv));
		default:
			return command_usage(&command_inspect, "'%s' is no option", command_option(argc, argv));
		}
	}
	if (argc - optind != 1)
		return command_usage(&command_inspect, "it takes one file");
	options.file = argv[optind];
	return inspect(&options);
}

const struct command command_inspect = {
	.name = "inspect",
	.run = run,
	.usage = "inspect [--json] [--list] [--header] [--arch ARCH] FILE",
	.summary = "which instructions stand in a cubin, shared object or PTX text",
	.help =
		"Counts the instructions that matter as evidence, function by function: wgmma (gmma),\n"
		"tensor-map copies (tma), bulk copies (bulk), tensor memory (tcgen), and for comparison\n"
		"the older warp-level ones (warp). Of each: how many stand there, how many of them are\n"
		"null (they execute and do no work), never executed (guard constantly false) or under a\n"
		"guard, and the operations that one execution by one warp does. No GPU is needed; what\n"
		"stands in the code may still never run.\n"
		"\n"
		"FILE is a cubin, a fat binary, an object or shared object made by nvcc, or a PTX text,\n"
		"which is assembled by ptxas first. Compressed images of a fat binary are listed, not\n"
		"read: build with -Xfatbin -no-compress.\n"
		"\n"
		"  --json       canonical JSON with all opcodes\n"
		"  --list       every instruction, instead of the counts\n"
		"  --header     of a PTX text only what it declares; needs no CUDA toolkit\n"
		"  --arch ARCH  assemble a PTX text for ARCH, not for its .target\n",
};
