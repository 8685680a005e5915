#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/date.h"
#include "../bundle/role.h"
#include "../bundle/sshsig.h"
#include "../bundle/trustee.h"
#include "../command.h"

struct change {
	const char *add, *revoke, *reason, *threshold;
	struct trustee trustee;
};

static enum status add(const struct root *root, const struct change *change, struct error *err)
{
	struct bytes text = {0};
	enum status status = file_read(change->add, SSH_KEY_FILE_MAX, &text, err);

	if (status == OK)
		status = trustee_add(root, &text, change->add, &change->trustee, err);
	if (status == OK)
		printf("manifests/keys/%s.pem may sign as %s\n", change->trustee.name, change->trustee.role);
	bytes_free(&text);
	return status;
}

static enum status revoke(const struct root *root, const struct change *change, struct error *err)
{
	enum status status = trustee_revoke(root, change->revoke, change->reason, err);

	if (status == OK)
		printf("manifests/keys/%s.pem is revoked\n", change->revoke);
	return status;
}

/* ROLE=N. False if it is not, or the role needs more. */
static bool parse_threshold(const char *text, char **role, unsigned *keys)
{
	const char *equals = strchr(text, '=');
	char *end;

	*role = equals != NULL ? mem_textn(text, (size_t)(equals - text)) : mem_text("");
	if (role_find(*role) == NULL || equals[1] < '0' || equals[1] > '9')
		return false;
	unsigned long number = strtoul(equals + 1, &end, 10);

	*keys = (unsigned)number;
	return *end == '\0' && number <= THRESHOLD_MAX && number >= (strcmp(*role, ROLE_REVIEW) == 0 ? 0 : 1);
}

static enum status demand(const struct root *root, const char *role, unsigned keys, struct error *err)
{
	enum status status = trustee_demand(root, role, keys, err);

	if (status == OK)
		printf("keys of the role %s that have to sign: %u\n", role, keys);
	return status;
}

static enum status apply(const char *dir, const struct change *change, const char *role, unsigned keys)
{
	struct root root;
	struct error err = {0};
	enum status status = root_open(dir, &root, &err);

	if (status == OK)
		status = change->add != NULL      ? add(&root, change, &err)
		         : change->revoke != NULL ? revoke(&root, change, &err)
		                                  : demand(&root, role, keys, &err);
	if (status != OK)
		error_print(&err);
	else
		puts("The root seal, which covers this, is next: ptxseal seal --role root");
	root_close(&root);
	return status;
}

static enum status check(const struct change *change)
{
	const struct trustee *trustee = &change->trustee;

	if ((change->add != NULL) + (change->revoke != NULL) + (change->threshold != NULL) != 1)
		return command_usage(&command_trust, "one of --add, --revoke and --threshold is needed");
	if ((change->add != NULL) != (trustee->name != NULL) || (change->add != NULL) != (trustee->role != NULL))
		return command_usage(&command_trust, "--add goes with --name and --role");
	if (change->add == NULL && (trustee->until != NULL || trustee->purpose != NULL))
		return command_usage(&command_trust, "--until and --purpose go with --add");
	if ((change->revoke != NULL) != (change->reason != NULL))
		return command_usage(&command_trust, "--revoke goes with --reason");
	if (change->reason != NULL && change->reason[0] == '\0')
		return command_usage(&command_trust, "a reason is needed");
	if (trustee->role != NULL && role_find(trustee->role) == NULL)
		return command_usage(&command_trust, "'%s' is no role", trustee->role);
	if (trustee->until != NULL && !date_valid(trustee->until, strlen(trustee->until)))
		return command_usage(&command_trust, "'%s' is no date YYYY-MM-DD", trustee->until);
	return OK;
}

static enum status run(int argc, char **argv)
{
	static const struct option options[] = {
		{"add", required_argument, NULL, 'a'},     {"name", required_argument, NULL, 'n'},
		{"role", required_argument, NULL, 'r'},    {"until", required_argument, NULL, 'u'},
		{"purpose", required_argument, NULL, 'p'}, {"revoke", required_argument, NULL, 'v'},
		{"reason", required_argument, NULL, 'w'},  {"threshold", required_argument, NULL, 't'},
		{0},
	};
	struct change change = {0};
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		const char **value = option == 'a'   ? &change.add
		                     : option == 'n' ? &change.trustee.name
		                     : option == 'r' ? &change.trustee.role
		                     : option == 'u' ? &change.trustee.until
		                     : option == 'p' ? &change.trustee.purpose
		                     : option == 'v' ? &change.revoke
		                     : option == 'w' ? &change.reason
		                     : option == 't' ? &change.threshold
		                                     : NULL;

		if (value == NULL)
			return command_usage(&command_trust, "'%s' is no option, or lacks its value", command_option(argc, argv));
		*value = optarg;
	}
	if (argc - optind > 1)
		return command_usage(&command_trust, "one directory at most");
	enum status status = check(&change);
	char *role = NULL;
	unsigned keys = 0;

	if (status == OK && change.threshold != NULL && !parse_threshold(change.threshold, &role, &keys))
		status = command_usage(&command_trust, "'%s' is not ROLE=N with N from 1 to %d", change.threshold, THRESHOLD_MAX);
	if (status == OK)
		status = apply(optind < argc ? argv[optind] : ".", &change, role, keys);
	free(role);
	return status;
}

const struct command command_trust = {
	.name = "trust",
	.run = run,
	.usage = "trust --add KEYFILE --name NAME --role ROLE [--until YYYY-MM-DD] [--purpose TEXT] [DIR]\n"
		 "       ptxseal trust --revoke NAME --reason TEXT [DIR]\n"
		 "       ptxseal trust --threshold ROLE=N [DIR]",
	.summary = "say which keys may sign what, and how many have to",
	.help =
		"Changes manifests/trust.json of the bundle in DIR (the current directory). `ptxseal\n"
		"seal` itself adds the key it signs with; this adds those of others.\n"
		"\n"
		"  --add KEYFILE     let this public key sign: PEM, or a line as in ~/.ssh/id_ed25519.pub\n"
		"  --name NAME       it becomes manifests/keys/NAME.pem\n"
		"  --role ROLE       root: seals the bundle; import: vouches for a source; replay: for\n"
		"                    measured runs; log: signs the checkpoints of the submission log;\n"
		"                    review: countersigns with ssh-keygen (`ptxseal help sign`)\n"
		"  --until DATE      what it signs has to be dated, no later than this day\n"
		"  --purpose TEXT    for people\n"
		"  --revoke NAME     what manifests/keys/NAME.pem has signed no longer counts\n"
		"  --reason TEXT     why, for people\n"
		"  --threshold ROLE=N  N distinct keys of the role have to sign what that role signs (1;\n"
		"                    of review 0)\n"
		"\n"
		"The root seal has to follow. Exits 0 when changed, 1 if that cannot be, 3 if the key or\n"
		"trust.json is malformed, 4 if a file cannot be written.\n",
};
