#include "machine.h"

#include <gnu/libc-version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../base/bytes.h"
#include "../base/file.h"
#include "../base/utf8.h"

enum { PROC_FILE_MAX = 4 << 20 }; /* cpuinfo of a few hundred cores is some 500 KiB */

/* Files of /proc have no size to go by, so they are read to their end. */
static void read_text(const char *root, const char *path, struct bytes *out)
{
	char *name = mem_format("%s%s", root, path);
	FILE *file = fopen(name, "re");

	free(name);
	out->len = 0;
	bytes_text(out, "");
	if (file == NULL)
		return;
	while (out->len < PROC_FILE_MAX && !feof(file) && !ferror(file)) {
		bytes_reserve(out, 65536);
		out->len += fread(out->data + out->len, 1, 65536, file);
	}
	fclose(file);
	out->data[out->len] = '\0';
}

/* What stands after `key` and a colon in the first line that starts with it, without white space around; "unknown" if there is none. free() it. */
static char *field(const char *text, const char *key)
{
	for (const char *line = text; line != NULL; line = strchr(line, '\n'), line = line != NULL ? line + 1 : NULL) {
		if (strncmp(line, key, strlen(key)) != 0)
			continue;
		const char *value = line + strlen(key);

		value += strspn(value, " \t");
		if (*value != ':')
			continue;
		value += 1 + strspn(value + 1, " \t");
		return mem_textn(value, strcspn(value, "\n"));
	}
	return mem_text("unknown");
}

static void add_text(cJSON *facts, const char *key, const char *text)
{
	char clean[256];

	utf8_printable(text, strcspn(text, "\n"), clean, sizeof clean);
	cJSON_AddStringToObject(facts, key, clean[0] != '\0' ? clean : "unknown");
}

static bool exists(const char *root, const char *path)
{
	char *name = mem_format("%s%s", root, path);
	bool there = access(name, F_OK) == 0;

	free(name);
	return there;
}

static cJSON *container_hints(const char *root, struct bytes *scratch)
{
	static const char *const files[] = {"/.dockerenv", "/run/.containerenv", "/run/systemd/container"};
	static const char *const managers[] = {"docker", "kubepods", "containerd", "libpod", "lxc"};
	cJSON *hints = cJSON_CreateArray();

	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
		if (exists(root, files[i]))
			cJSON_AddItemToArray(hints, cJSON_CreateString(files[i]));
	if (getenv("container") != NULL)
		cJSON_AddItemToArray(hints, cJSON_CreateString("the variable container"));
	if (getenv("KUBERNETES_SERVICE_HOST") != NULL)
		cJSON_AddItemToArray(hints, cJSON_CreateString("the variable KUBERNETES_SERVICE_HOST"));
	read_text(root, "/proc/1/cgroup", scratch);
	for (size_t i = 0; i < sizeof managers / sizeof managers[0]; i++)
		if (strstr(scratch->data, managers[i]) != NULL) {
			char *hint = mem_format("%s in /proc/1/cgroup", managers[i]);

			cJSON_AddItemToArray(hints, cJSON_CreateString(hint));
			free(hint);
		}
	read_text(root, "/proc/mounts", scratch);
	if (strncmp(scratch->data, "overlay / ", 10) == 0 || strstr(scratch->data, "\noverlay / ") != NULL)
		cJSON_AddItemToArray(hints, cJSON_CreateString("overlay root"));
	read_text(root, "/proc/version", scratch);
	if (strstr(scratch->data, "gVisor") != NULL)
		cJSON_AddItemToArray(hints, cJSON_CreateString("gVisor"));
	return hints;
}

static void add_cpu(cJSON *facts, const char *root, struct bytes *scratch)
{
	read_text(root, "/proc/cpuinfo", scratch);
	char *model = field(scratch->data, "model name");
	char *flags = field(scratch->data, "flags");
	char *padded = mem_format(" %s ", flags);

	add_text(facts, "cpu", model);
	if (strcmp(flags, "unknown") == 0)
		cJSON_AddNullToObject(facts, "hypervisor");
	else
		cJSON_AddBoolToObject(facts, "hypervisor", strstr(padded, " hypervisor ") != NULL);
	free(model);
	free(flags);
	free(padded);
	read_text(root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", scratch);
	add_text(facts, "governor", scratch->data);
}

static void add_memory(cJSON *facts, const char *root, struct bytes *scratch)
{
	read_text(root, "/proc/meminfo", scratch);
	char *total = field(scratch->data, "MemTotal");
	char *end;
	unsigned long long kib = strtoull(total, &end, 10);

	if (strcmp(end, " kB") == 0)
		cJSON_AddNumberToObject(facts, "memory_mib", (double)(kib / 1024));
	else
		cJSON_AddNullToObject(facts, "memory_mib");
	free(total);
}

cJSON *machine_facts(const char *root)
{
	cJSON *facts = cJSON_CreateObject();
	struct bytes scratch = {0};
	struct utsname name = {0};

	uname(&name);
	add_text(facts, "program", PTXSEAL_VERSION);
	add_text(facts, "kernel", name.release);
	add_text(facts, "machine", name.machine);
	add_text(facts, "glibc", gnu_get_libc_version());
	cJSON_AddNumberToObject(facts, "cores", (double)sysconf(_SC_NPROCESSORS_ONLN));
	add_cpu(facts, root, &scratch);
	add_memory(facts, root, &scratch);
	cJSON_AddItemToObject(facts, "container", container_hints(root, &scratch));
	bytes_free(&scratch);
	return facts;
}

/* Length of directory plus, if it stands for one account of many, the account's name; 0 if path is not beneath it. */
static size_t home_length(const char *path, const char *directory, bool accounts)
{
	size_t len = strlen(directory);

	if (len < 2 || strncmp(path, directory, len) != 0 || path[len] != '/')
		return 0;
	if (accounts)
		len += 1 + strcspn(path + len + 1, "/");
	return path[len] == '/' ? len : 0;
}

char *machine_path(const char *path)
{
	const char *home = getenv("HOME");
	size_t len = home != NULL ? home_length(path, home, false) : 0;

	if (len == 0)
		len = home_length(path, "/root", false);
	if (len == 0)
		len = home_length(path, "/home", true);
	if (len == 0)
		len = home_length(path, "/Users", true);
	return len != 0 ? mem_format("~%s", path + len) : mem_text(path);
}
