#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NOBODY = 65534 };

static const char *const names[LAYER_COUNT] = {
	[LAYER_LIMITS] = "limits",     [LAYER_NAMESPACES] = "namespaces", [LAYER_NO_NEW_RIGHTS] = "no_new_privs",
	[LAYER_LANDLOCK] = "landlock", [LAYER_IDENTITY] = "identity",     [LAYER_SECCOMP] = "seccomp",
};

static bool refuse(struct sandbox *sandbox, enum sandbox_layer layer, const char *tried)
{
	const char *why = strerrordesc_np(errno);

	snprintf(sandbox->refused[layer], sizeof sandbox->refused[layer], "%s: %s", tried, why != NULL ? why : "unknown error");
	return false;
}

static bool limit(__rlimit_resource_t resource, rlim_t most)
{
	struct rlimit now;

	/* A hard limit below ours stays. */
	if (getrlimit(resource, &now) != 0)
		return false;
	if (now.rlim_max != RLIM_INFINITY && now.rlim_max < most)
		most = now.rlim_max;
	now = (struct rlimit){most, most};
	return setrlimit(resource, &now) == 0;
}

static bool put_limits(struct sandbox *sandbox)
{
	/* A file that grows too large is an error to whoever writes it, not the end of the process. */
	signal(SIGXFSZ, SIG_IGN);
	return (limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 1 << 20) && limit(RLIMIT_NOFILE, 1024)) ||
	       refuse(sandbox, LAYER_LIMITS, "lowering limits");
}

/* Root needs no user namespace, and one without a map of users could not become nobody. */
static bool put_namespaces(struct sandbox *sandbox)
{
	return unshare(CLONE_NEWNET | CLONE_NEWIPC) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC) == 0 ||
	       refuse(sandbox, LAYER_NAMESPACES, "unshare");
}

static bool put_no_new_rights(struct sandbox *sandbox)
{
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 || refuse(sandbox, LAYER_NO_NEW_RIGHTS, "prctl");
}

/*
 * Landlock's interface by version (Documentation/userspace-api/landlock.rst); headers in use know only the first ones. Handled, that is forbidden unless
 * allowed below: running programs, writing, making and removing files, from 2 linking across directories, from 3 truncating; from 4 TCP; from 6 abstract
 * sockets and signals to processes outside.
 */
enum { LANDLOCK_REFER = 1 << 13, LANDLOCK_TRUNCATE = 1 << 14, LANDLOCK_TCP = 1 << 0 | 1 << 1, LANDLOCK_SCOPES = 1 << 0 | 1 << 1 };

struct landlock_rules {
	uint64_t files, net, scopes;
};

static long landlock_version(void)
{
	return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

static bool allow_writing(int ruleset, const char *directory, uint64_t rights)
{
	struct landlock_path_beneath_attr beneath = {.allowed_access = rights};

	beneath.parent_fd = open(directory, O_PATH | O_CLOEXEC);
	if (beneath.parent_fd < 0)
		return false;
	const bool done = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) == 0;

	close(beneath.parent_fd);
	return done;
}

static bool put_landlock(struct sandbox *sandbox)
{
	const long version = landlock_version();

	if (version < 1)
		return refuse(sandbox, LAYER_LANDLOCK, "asking for Landlock");
	const uint64_t write = LANDLOCK_ACCESS_FS_WRITE_FILE | (version >= 3 ? LANDLOCK_TRUNCATE : 0);
	const struct landlock_rules rules = {
		.files = write | LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
	                 LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
	                 LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM |
	                 (version >= 2 ? LANDLOCK_REFER : 0),
		.net = version >= 4 ? LANDLOCK_TCP : 0,
		.scopes = version >= 6 ? LANDLOCK_SCOPES : 0,
	};
	const size_t size = version >= 6 ? sizeof rules : version >= 4 ? offsetof(struct landlock_rules, scopes) : offsetof(struct landlock_rules, net);
	const int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);

	if (ruleset < 0)
		return refuse(sandbox, LAYER_LANDLOCK, "making a ruleset");
	const bool done = allow_writing(ruleset, "/dev", write) && allow_writing(ruleset, "/proc/self", write) &&
	                  syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;

	if (!done)
		refuse(sandbox, LAYER_LANDLOCK, "putting the ruleset on");
	close(ruleset);
	return done;
}

/* Of this thread. The bounding set may stay: under no_new_privs nothing can be gained from it. */
static bool drop_capabilities(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};

	return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0 && syscall(SYS_capset, &head, none) == 0;
}

/* libc does this in every thread, and the kernel takes each one's capabilities with its root. */
static bool become_nobody(void)
{
	return setgroups(0, NULL) == 0 && setresgid(NOBODY, NOBODY, NOBODY) == 0 && setresuid(NOBODY, NOBODY, NOBODY) == 0;
}

static bool put_identity(struct sandbox *sandbox)
{
	if (geteuid() == 0 && !become_nobody())
		return refuse(sandbox, LAYER_IDENTITY, "becoming nobody");
	if (!drop_capabilities())
		return refuse(sandbox, LAYER_IDENTITY, "dropping capabilities");
	/* Another user's process may not write its own /proc entry, which the driver does, unless it is dumpable. */
	return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0 || refuse(sandbox, LAYER_IDENTITY, "staying dumpable");
}

enum { FCHMODAT2 = 452 }; /* everywhere; headers in use do not know it */

/* Refused with EPERM. What it takes to make threads, map memory and talk to the driver's devices is not on the list, nor is reading files. */
static const int forbidden[] = {
	SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_open, SYS_pidfd_getfd, SYS_pidfd_send_signal,
	SYS_kill, SYS_tkill, SYS_rt_sigqueueinfo, SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4,
	SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns,
	SYS_open_tree, SYS_move_mount, SYS_fsopen, SYS_fsmount, SYS_open_by_handle_at, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_keyctl,
	SYS_add_key, SYS_request_key, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff,
	SYS_personality, SYS_mknodat, SYS_mkdirat, SYS_unlinkat, SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_fchmodat, SYS_fchownat, SYS_truncate,
	SYS_setxattr, FCHMODAT2, SYS_setpriority, SYS_ioprio_set, SYS_shmget, SYS_semget, SYS_msgget, SYS_mq_open,
#ifdef SYS_fork /* the calls that newer machines do without */
	SYS_fork, SYS_vfork, SYS_creat, SYS_mknod, SYS_mkdir, SYS_rmdir, SYS_unlink, SYS_rename, SYS_renameat, SYS_link, SYS_symlink, SYS_chmod,
	SYS_chown, SYS_lchown,
#endif
};

#if defined(__x86_64__)
static const uint32_t machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
static const uint32_t machine = AUDIT_ARCH_AARCH64;
#else
#error "seccomp filters know x86-64 and aarch64"
#endif

enum { FORBIDDEN_COUNT = sizeof forbidden / sizeof forbidden[0], FILTER_MAX = 2 * FORBIDDEN_COUNT + 48, X32_BIT = 0x40000000 };

struct filter {
	struct sock_filter at[FILTER_MAX];
	unsigned short count;
};

static void add(struct filter *filter, uint16_t code, uint32_t operand, uint8_t if_true, uint8_t if_false)
{
	filter->at[filter->count++] = (struct sock_filter){code, if_true, if_false, operand};
}

static void load(struct filter *filter, size_t offset)
{
	add(filter, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void answer(struct filter *filter, uint32_t with)
{
	add(filter, BPF_RET | BPF_K, with, 0, 0);
}

/* Answer so if the loaded word equals operand, else go on. */
static void answer_if(struct filter *filter, uint32_t operand, uint32_t with)
{
	add(filter, BPF_JMP | BPF_JEQ | BPF_K, operand, 0, 1);
	answer(filter, with);
}

/* A call whose first argument names a process goes on only if that is one of the two, its upper half aside, which the kernel does not look at either. */
static void only_process(struct filter *filter, int call, uint32_t one, uint32_t other)
{
	add(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 5);
	load(filter, offsetof(struct seccomp_data, args[0])); /* the low word, little-endian */
	add(filter, BPF_JMP | BPF_JEQ | BPF_K, one, 2, 0);
	add(filter, BPF_JMP | BPF_JEQ | BPF_K, other, 1, 0);
	answer(filter, SECCOMP_RET_ERRNO | EPERM);
	answer(filter, SECCOMP_RET_ALLOW);
}

/* clone makes threads only; clone3, whose flags a filter cannot see, is said not to exist, and libc then uses clone. */
static void make_filter(struct filter *filter)
{
	filter->count = 0;
	load(filter, offsetof(struct seccomp_data, arch));
	add(filter, BPF_JMP | BPF_JEQ | BPF_K, machine, 1, 0);
	answer(filter, SECCOMP_RET_KILL_PROCESS);
	load(filter, offsetof(struct seccomp_data, nr));
	add(filter, BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1);
	answer(filter, SECCOMP_RET_ERRNO | EPERM);
	answer_if(filter, SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);
	for (size_t i = 0; i < FORBIDDEN_COUNT; i++)
		answer_if(filter, (uint32_t)forbidden[i], SECCOMP_RET_ERRNO | EPERM);
	/* Limits of, and signals to, this process alone. */
	only_process(filter, SYS_prlimit64, 0, (uint32_t)getpid());
	only_process(filter, SYS_tgkill, (uint32_t)getpid(), (uint32_t)getpid());
	add(filter, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3);
	load(filter, offsetof(struct seccomp_data, args[0])); /* flags: the low word, little-endian */
	add(filter, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0);
	answer(filter, SECCOMP_RET_ERRNO | EPERM);
	answer(filter, SECCOMP_RET_ALLOW);
}

static bool put_seccomp(struct sandbox *sandbox)
{
	struct filter filter;

	make_filter(&filter);
	const struct sock_fprog program = {.len = filter.count, .filter = filter.at};

	/* On all threads: the driver has some already. A positive result names a thread that could not follow. */
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0 ||
	       refuse(sandbox, LAYER_SECCOMP, "putting the filter on");
}

bool sandbox_no_files(void)
{
	/* Version 1 has all rights to read, write, make and run; what came later is forbidden by the first ruleset already. */
	const struct landlock_rules rules = {.files = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1};
	const int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, offsetof(struct landlock_rules, net), 0);

	if (ruleset < 0)
		return false;
	const bool done = syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;

	close(ruleset);
	return done;
}

/* What memory, locks, output to open descriptors and the end need. Nothing that tells the time, nor of any process but this. */
static const int for_memory[] = {
	SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_brk, SYS_futex, SYS_write, SYS_writev, SYS_fstat, SYS_lseek, SYS_close,
	SYS_rt_sigprocmask, SYS_rt_sigaction, SYS_rt_sigreturn, SYS_sigaltstack, SYS_getpid, SYS_gettid, SYS_sched_yield, SYS_clock_nanosleep,
	SYS_nanosleep, SYS_getrandom, SYS_exit, SYS_exit_group,
};

/* And the loader, to map a shared object that a descriptor holds; seccomp, for the filter after this one. */
static const int for_loading[] = {SYS_openat, SYS_read, SYS_pread64, SYS_newfstatat, SYS_seccomp};

static void allow(struct filter *filter, const int *calls, size_t count)
{
	for (size_t i = 0; i < count; i++)
		answer_if(filter, (uint32_t)calls[i], SECCOMP_RET_ALLOW);
}

static bool only(bool loading)
{
	struct filter filter = {.count = 0};

	load(&filter, offsetof(struct seccomp_data, arch));
	add(&filter, BPF_JMP | BPF_JEQ | BPF_K, machine, 1, 0);
	answer(&filter, SECCOMP_RET_KILL_PROCESS);
	load(&filter, offsetof(struct seccomp_data, nr));
	allow(&filter, for_memory, sizeof for_memory / sizeof for_memory[0]);
	if (loading)
		allow(&filter, for_loading, sizeof for_loading / sizeof for_loading[0]);
	/* libc asks what kind of thing its standard output is, and goes on without an answer. */
	answer_if(&filter, SYS_ioctl, SECCOMP_RET_ERRNO | ENOTTY);
	answer_if(&filter, SYS_newfstatat, SECCOMP_RET_ERRNO | ENOSYS);
	only_process(&filter, SYS_tgkill, (uint32_t)getpid(), (uint32_t)getpid());
	answer(&filter, SECCOMP_RET_KILL_PROCESS);
	const struct sock_fprog program = {.len = filter.count, .filter = filter.at};

	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

bool sandbox_loading_only(void)
{
	return only(true);
}

bool sandbox_memory_only(void)
{
	return only(false);
}

/*
 * The kernel's own library in every process (vdso(7)) tells the time from pages beside it, without a call that a filter could see. Those are taken out, so that it crashes;
 * the library stays, since the loader looks at its names. Reading the processor's counter crashes too.
 */
bool sandbox_no_clocks(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	unsigned long from[8], to[8];
	size_t count = 0;
	char line[512];
	bool done = maps != NULL;

	while (maps != NULL && count < sizeof from / sizeof from[0] && fgets(line, sizeof line, maps) != NULL)
		if (strstr(line, "[vvar") != NULL)
			count += sscanf(line, "%lx-%lx", &from[count], &to[count]) == 2;
	if (maps != NULL)
		fclose(maps);
	for (size_t i = 0; i < count; i++)
		done = syscall(SYS_munmap, from[i], to[i] - from[i]) == 0 && done;
#if defined(__x86_64__)
	done = prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) == 0 && done;
#endif
	return done;
}

static void put(struct sandbox *sandbox, enum sandbox_layer layer, bool (*on)(struct sandbox *))
{
	if ((sandbox->without & 1u << layer) == 0)
		sandbox->in_force[layer] = on(sandbox);
}

void sandbox_before_driver(struct sandbox *sandbox)
{
	put(sandbox, LAYER_LIMITS, put_limits);
	put(sandbox, LAYER_NAMESPACES, put_namespaces);
	put(sandbox, LAYER_NO_NEW_RIGHTS, put_no_new_rights);
	put(sandbox, LAYER_LANDLOCK, put_landlock);
	/* A new user namespace gives capabilities in it; threads that the driver makes shall not inherit them. Root's go later, in all threads at once. */
	if (geteuid() != 0 && (sandbox->without & 1u << LAYER_IDENTITY) == 0)
		drop_capabilities();
}

void sandbox_before_code(struct sandbox *sandbox)
{
	put(sandbox, LAYER_IDENTITY, put_identity);
	put(sandbox, LAYER_SECCOMP, put_seccomp);
}

bool sandbox_whole(const struct sandbox *sandbox)
{
	for (int layer = 0; layer < LAYER_COUNT; layer++)
		if (!sandbox->in_force[layer])
			return false;
	return true;
}

cJSON *sandbox_facts(const struct sandbox *sandbox)
{
	cJSON *facts = cJSON_CreateObject();

	for (int layer = 0; layer < LAYER_COUNT; layer++) {
		char text[sizeof sandbox->refused[0] + 16] = "in force";

		if ((sandbox->without & 1u << layer) != 0)
			strcpy(text, "left out");
		else if (!sandbox->in_force[layer])
			snprintf(text, sizeof text, "refused: %s", sandbox->refused[layer]);
		cJSON_AddStringToObject(facts, names[layer], text);
	}
	return facts;
}
