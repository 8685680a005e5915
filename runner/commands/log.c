#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../base/name.h"
#include "../base/plural.h"
#include "../bundle/layout.h"
#include "../bundle/trust.h"
#include "../command.h"
#include "../log/append.h"
#include "../log/audit.h"
#include "../log/proof.h"
#include "text.h"

#define LOG_KEY "keys/log.pem" /* in manifests/ */
#define LOG_PREDICATE "c2sp.org/tlog-checkpoint"

struct ask {
	const char *origin;
	const char *key;
	const char *vkey;
	const char *since;
	bool once;
	bool json;
	char **arguments;
	int count;
};

/* Where a log stands: in a directory of its own, or in a bundle, whose trust.json then says which key may sign it. */
struct place {
	struct root root;
	const char *prefix;
	bool bundle;
};

static enum status place_open(const char *dir, bool create, struct place *place, struct error *err)
{
	struct root manifests;
	enum status status = create && layout_inside_bundle(dir) ? error_set(err, R_BND_OUTSIDE, dir, "this is inside a bundle") : OK;

	if (status == OK)
		status = create ? root_create(dir, &place->root, err) : root_open(dir, &place->root, err);

	if (status != OK)
		return status;
	place->bundle = root_beneath(&place->root, "manifests", &manifests, NULL) == OK;
	if (place->bundle)
		root_close(&manifests);
	place->prefix = place->bundle ? LAYOUT_LOG : "";
	return OK;
}

static enum status read_trust(const struct root *root, struct trust *trust, struct error *err)
{
	struct bytes text = {0};
	enum status status = root_read(root, LAYOUT_TRUST, TRUST_FILE_MAX, &text, err);

	*trust = (struct trust){0};
	if (status == OK)
		status = trust_parse(text.data, text.len, trust, err);
	bytes_free(&text);
	return status;
}

static enum status parse_vkey(const char *text, struct verifier *verifier, struct error *err)
{
	return verifier_parse(text, strlen(text), "--vkey", verifier, err);
}

/* How a log was opened: on the word of the user, of trust.json, or of the log itself. */
static enum status open_log(const struct place *place, const char *vkey, struct tlog *log, const char **trusted, struct error *err)
{
	struct verifier verifier = {0};
	struct trust trust = {0};
	bool named = vkey != NULL || place->bundle;
	enum status status = OK;

	*trusted = vkey != NULL ? "the named key" : place->bundle ? "manifests/trust.json" : "the key beside the log";
	if (vkey != NULL) {
		status = parse_vkey(vkey, &verifier, err);
	} else if (place->bundle) {
		status = read_trust(&place->root, &trust, err);
		if (status == OK)
			status = tlog_trusted(&place->root, place->prefix, &trust, &verifier, err);
	}
	if (status == OK)
		status = tlog_open(&place->root, place->prefix, named ? &verifier : NULL, log, err);
	trust_free(&trust);
	verifier_free(&verifier);
	return status;
}

static cJSON *head_json(const struct checkpoint *head)
{
	cJSON *tree = cJSON_CreateObject();
	char hex[SHA256_HEX + 1];

	sha256_hex(&head->root, hex);
	cJSON_AddStringToObject(tree, "origin", head->origin);
	cJSON_AddStringToObject(tree, "root", hex);
	cJSON_AddNumberToObject(tree, "size", (double)head->size);
	return tree;
}

static void print_json(cJSON *tree)
{
	report_json(tree, stdout);
	cJSON_Delete(tree);
}

/* The public key goes into the bundle and, as one that signs logs, into its trust.json, which the next root seal covers. */
static enum status grant(const struct place *place, const struct key *key, struct error *err)
{
	struct bytes pem = {0}, text = {0};
	struct trust trust = {0};
	struct error missing;
	enum status status = read_trust(&place->root, &trust, &missing);

	if (status != OK && missing.rule != R_IO_OPEN) {
		*err = missing;
		return status;
	}
	status = trust_grant(&trust, LOG_KEY, key->fingerprint, ROLE_LOG, LOG_PREDICATE, "signs the checkpoints of the submission log", false, err);
	if (status == OK)
		status = key_write(KEY_PUBLIC, key, &pem, err);
	if (status == OK)
		status = root_write(&place->root, LAYOUT_MANIFESTS LOG_KEY, pem.data, pem.len, err);
	if (status == OK) {
		trust_write(&trust, &text);
		status = root_write(&place->root, LAYOUT_TRUST, text.data, text.len, err);
	}
	trust_free(&trust);
	bytes_free(&pem);
	bytes_free(&text);
	return status;
}

static enum status verb_init(const struct ask *ask, struct error *err)
{
	struct place place = {.root = {.fd = -1}};
	struct verifier verifier = {0};
	struct key key = {0};
	struct bytes vkey = {0};
	enum status status = name_check(ask->origin, "origin", "", err);

	if (status == OK)
		status = key_read_private(ask->key, &key, err);
	if (status == OK)
		status = verifier_of(ask->origin, &key, &verifier, err);
	if (status == OK)
		status = place_open(ask->arguments[0], true, &place, err);
	/* First, and again after a run that was cut short in between: granting twice is granting once. */
	if (status == OK && place.bundle)
		status = grant(&place, &key, err);
	if (status == OK)
		status = tlog_create(&place.root, place.prefix, ask->origin, &key, err);
	if (status == OK) {
		verifier_write(&verifier, &vkey);
		if (ask->json) {
			cJSON *tree = cJSON_CreateObject();

			cJSON_AddStringToObject(tree, "origin", ask->origin);
			cJSON_AddStringToObject(tree, "vkey", vkey.data);
			print_json(tree);
		} else {
			printf("began the log %s; its verifier key, which you publish:\n%s\n", ask->origin, vkey.data);
		}
	}
	bytes_free(&vkey);
	verifier_free(&verifier);
	root_close(&place.root);
	key_free(&key);
	return status;
}

/* The bytes of each file, one entry each; *entries is freed with free, its data with *data. */
static enum status read_entries(char *const *names, int count, struct bytes *data, struct entry **entries, struct error *err)
{
	size_t *end = mem_array(NULL, (size_t)count, sizeof *end);
	enum status status = OK;

	for (int i = 0; i < count && status == OK; i++) {
		status = file_read(names[i], ENTRY_BYTES_MAX, data, err);
		end[i] = data->len;
	}
	*entries = mem_array(NULL, (size_t)count, sizeof **entries);
	for (int i = 0; i < count && status == OK; i++) {
		size_t start = i > 0 ? end[i - 1] : 0;

		(*entries)[i] = (struct entry){data->data + start, end[i] - start};
	}
	free(end);
	return status;
}

static void print_append(const struct ask *ask, const struct tlog *log, uint64_t index, int count, bool appended)
{
	if (ask->json) {
		cJSON *tree = head_json(&log->head);

		cJSON_AddBoolToObject(tree, "appended", appended);
		cJSON_AddNumberToObject(tree, "index", (double)index);
		print_json(tree);
		return;
	}
	printf("%s %" PRIu64, appended ? "appended as entry" : "stands there already as entry", index);
	if (count > 1)
		printf(" to %" PRIu64, index + (uint64_t)count - 1);
	printf(", of %" PRIu64 " entr%s\n", log->head.size, plural_y(log->head.size));
}

static enum status verb_append(const struct ask *ask, struct error *err)
{
	struct place place = {.root = {.fd = -1}};
	const int count = ask->count - 1;
	struct entry *entries = NULL;
	struct bytes data = {0};
	struct tlog log = {0};
	struct key key = {0};
	const char *trusted;
	bool appended = true;
	uint64_t index = 0;

	if (ask->once && count > 1)
		return command_usage(&command_log, "append takes one FILE with --once");
	enum status status = key_read_private(ask->key, &key, err);

	if (status == OK)
		status = read_entries(ask->arguments + 1, count, &data, &entries, err);
	if (status == OK)
		status = place_open(ask->arguments[0], false, &place, err);
	if (status == OK)
		status = open_log(&place, NULL, &log, &trusted, err);
	if (status == OK)
		status = ask->once ? tlog_append_once(&log, entries[0].data, entries[0].len, &key, &index, &appended, err)
		                   : tlog_append(&log, entries, (size_t)count, &key, &index, err);
	if (status == OK)
		print_append(ask, &log, index, count, appended);
	free(entries);
	bytes_free(&data);
	tlog_close(&log);
	root_close(&place.root);
	key_free(&key);
	return status;
}

static enum status verb_prove(const struct ask *ask, struct error *err)
{
	struct place place = {.root = {.fd = -1}};
	struct bytes proof = {0}, old = {0};
	struct tlog log = {0};
	const char *trusted;
	uint64_t index = 0;
	enum status status = place_open(ask->arguments[0], false, &place, err);

	if (status == OK)
		status = open_log(&place, ask->vkey, &log, &trusted, err);
	if (status == OK && ask->since != NULL) {
		status = file_read(ask->since, NOTE_BYTES_MAX, &old, err);
		if (status == OK)
			status = tlog_prove_growth(&log, old.data, old.len, ask->since, &proof, err);
	} else if (status == OK) {
		char *end;

		index = strtoull(ask->arguments[1], &end, 10);
		if (ask->arguments[1][0] < '0' || ask->arguments[1][0] > '9' || *end != '\0')
			status = error_set(err, R_LOG_INDEX, "", "'%s' is no number", ask->arguments[1]);
		else
			status = tlog_prove(&log, index, &proof, err);
	}
	if (status == OK && ask->json) {
		cJSON *tree = head_json(&log.head);

		if (ask->since == NULL)
			cJSON_AddNumberToObject(tree, "index", (double)index);
		cJSON_AddStringToObject(tree, "proof", proof.data);
		print_json(tree);
	} else if (status == OK) {
		fwrite(proof.data, 1, proof.len, stdout);
	}
	bytes_free(&proof);
	bytes_free(&old);
	tlog_close(&log);
	root_close(&place.root);
	return status;
}

static enum status verb_verify(const struct ask *ask, struct error *err)
{
	const char *file = ask->arguments[0];
	struct verifier verifier = {0};
	struct bytes proof = {0}, other = {0};
	struct checkpoint head = {0};
	uint64_t index = 0;
	enum status status = parse_vkey(ask->vkey, &verifier, err);

	if (status == OK)
		status = file_read(file, PROOF_BYTES_MAX, &proof, err);
	if (status == OK && ask->since != NULL) {
		status = file_read(ask->since, NOTE_BYTES_MAX, &other, err);
		if (status == OK)
			status = tlog_verify_growth(proof.data, proof.len, file, other.data, other.len, ask->since, &verifier, &head, err);
	} else if (status == OK) {
		status = file_read(ask->arguments[1], ENTRY_BYTES_MAX, &other, err);
		if (status == OK)
			status = tlog_verify_proof(proof.data, proof.len, file, other.data, other.len, &verifier, &index, &head, err);
	}
	if (status == OK && ask->json) {
		cJSON *tree = head_json(&head);

		if (ask->since == NULL)
			cJSON_AddNumberToObject(tree, "index", (double)index);
		print_json(tree);
	} else if (status == OK && ask->since != NULL) {
		printf("verified: with %" PRIu64 " entr%s %s begins with those that it had then\n", head.size, plural_y(head.size), head.origin);
	} else if (status == OK) {
		printf("verified: entry %" PRIu64 " of %s, at its %" PRIu64 " entr%s\n", index, head.origin, head.size, plural_y(head.size));
	}
	checkpoint_free(&head);
	bytes_free(&proof);
	bytes_free(&other);
	verifier_free(&verifier);
	return status;
}

static void print_audit(const struct ask *ask, const struct tlog *log, const struct tlog_audit *audit, const char *trusted)
{
	const struct findings *findings = &audit->findings;
	struct bytes text = {0};

	if (ask->json) {
		cJSON *tree = head_json(&log->head);

		cJSON_AddNumberToObject(tree, "bytes", (double)audit->bytes);
		cJSON_AddItemToObject(tree, "counts", findings_counts(findings));
		cJSON_AddNumberToObject(tree, "files", (double)audit->files);
		cJSON_AddItemToObject(tree, "findings", findings_json(findings));
		cJSON_AddStringToObject(tree, "trust", trusted);
		cJSON_AddStringToObject(tree, "verdict", findings->count == 0 ? "holds" : "does not hold");
		print_json(tree);
		return;
	}
	findings_text(findings, &text);
	if (findings->count > 0)
		bytes_format(&text, "the log does NOT hold: %zu finding%s in %" PRIu64 " file%s\n", findings->count,
		             plural(findings->count), audit->files, plural(audit->files));
	else
		bytes_format(&text, "the log holds: %" PRIu64 " entr%s, %" PRIu64 " file%s, signed by %s%s\n", log->head.size, plural_y(log->head.size), audit->files, plural(audit->files),
		             log->head.origin, ask->since != NULL ? "; it only grew" : "");
	bytes_format(&text, "Trust rests on %s.\n", trusted);
	fwrite(text.data, 1, text.len, stdout);
	bytes_free(&text);
}

static enum status verb_audit(const struct ask *ask, struct error *err)
{
	struct place place = {.root = {.fd = -1}};
	struct checkpoint old = {0};
	struct tlog_audit audit;
	struct bytes note = {0};
	struct tlog log = {0};
	const char *trusted = "";
	enum status status = place_open(ask->arguments[0], false, &place, err);

	if (status == OK)
		status = open_log(&place, ask->vkey, &log, &trusted, err);
	if (status == OK && ask->since != NULL)
		status = file_read(ask->since, NOTE_BYTES_MAX, &note, err);
	if (status == OK && ask->since != NULL)
		status = checkpoint_open(note.data, note.len, ask->since, &log.verifier, &old, err);
	if (status == OK) {
		tlog_audit(&log, ask->since != NULL ? &old : NULL, ask->since, &audit);
		print_audit(ask, &log, &audit, trusted);
		status = audit.findings.count == 0 ? OK : FAILS;
		findings_free(&audit.findings);
	}
	bytes_free(&note);
	checkpoint_free(&old);
	tlog_close(&log);
	root_close(&place.root);
	return status;
}

/* What may be asked of each verb: o(rigin), k(ey), v(key), s(ince), 1 (once); in capitals: must. */
static const struct verb {
	const char *name;
	enum status (*run)(const struct ask *ask, struct error *err);
	const char *options;
	int arguments; /* --since stands for the second */
	bool more;     /* or any number more */
} verbs[] = {
	{"init", verb_init, "OK", 1, false},     {"append", verb_append, "K1", 2, true}, {"prove", verb_prove, "vs", 2, false},
	{"verify", verb_verify, "Vs", 2, false}, {"audit", verb_audit, "vs", 1, false},
};

static enum status run_verb(const struct verb *verb, struct ask *ask)
{
	const struct {
		char letter;
		bool given;
		const char *name;
	} given[] = {
		{'o', ask->origin != NULL, "--origin"}, {'k', ask->key != NULL, "--key"}, {'v', ask->vkey != NULL, "--vkey"},
		{'s', ask->since != NULL, "--since"},   {'1', ask->once, "--once"},
	};
	struct error err = {0};

	for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
		bool must = given[i].letter != '1' && strchr(verb->options, given[i].letter - 'a' + 'A') != NULL;

		if (must && !given[i].given)
			return command_usage(&command_log, "%s needs %s", verb->name, given[i].name);
		if (given[i].given && !must && strchr(verb->options, given[i].letter) == NULL)
			return command_usage(&command_log, "%s takes no %s", verb->name, given[i].name);
	}
	int wanted = verb->arguments - (ask->since != NULL && verb->arguments == 2);

	if (ask->count < wanted || (ask->count > wanted && !verb->more))
		return command_usage(&command_log, "%s takes %d argument%s here", verb->name, wanted, plural((uint64_t)wanted));
	enum status status = verb->run(ask, &err);

	if (status != OK && err.status != OK) /* else its report has told */
		error_print(&err);
	return status;
}

static enum status run(int argc, char **argv)
{
	static const struct option options[] = {
		{"origin", required_argument, NULL, 'o'}, {"key", required_argument, NULL, 'k'}, {"vkey", required_argument, NULL, 'v'},
		{"since", required_argument, NULL, 's'},  {"once", no_argument, NULL, '1'},      {"json", no_argument, NULL, 'j'},
		{0},
	};
	struct ask ask = {0};
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'o')
			ask.origin = optarg;
		else if (option == 'k')
			ask.key = optarg;
		else if (option == 'v')
			ask.vkey = optarg;
		else if (option == 's')
			ask.since = optarg;
		else if (option == '1')
			ask.once = true;
		else if (option == 'j')
			ask.json = true;
		else
			return command_usage(&command_log, "'%s' is no option, or lacks its value", command_option(argc, argv));
	}
	if (optind == argc)
		return command_usage(&command_log, "a verb is needed: init, append, prove, verify or audit");
	ask.arguments = argv + optind + 1;
	ask.count = argc - optind - 1;
	for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
		if (strcmp(argv[optind], verbs[i].name) == 0)
			return run_verb(&verbs[i], &ask);
	return command_usage(&command_log, "'%s' is no verb; there are init, append, prove, verify and audit", argv[optind]);
}

const struct command command_log = {
	.name = "log",
	.run = run,
	.usage = "log init --origin NAME --key KEYFILE DIR\n"
	         "       ptxseal log append --key KEYFILE [--once] DIR FILE...\n"
	         "       ptxseal log prove [--vkey VKEY] DIR INDEX\n"
	         "       ptxseal log prove [--vkey VKEY] --since CHECKPOINT DIR\n"
	         "       ptxseal log verify --vkey VKEY PROOF FILE\n"
	         "       ptxseal log verify --vkey VKEY --since CHECKPOINT PROOF\n"
	         "       ptxseal log audit [--vkey VKEY] [--since CHECKPOINT] DIR",
	.summary = "keep an append-only log, prove what is in it, check it",
	.help =
		"A log of entries to which can be added only: a Merkle tree in static files, as\n"
		"C2SP's tlog-tiles has it, its size and root hash signed in DIR/checkpoint. DIR is\n"
		"the log's directory, or a bundle, whose log stands in manifests/log.\n"
		"\n"
		"  init    begins an empty log. NAME is its origin (example.org/log) and its key's\n"
		"          name. In a bundle the public key goes to manifests/keys/log.pem and into\n"
		"          trust.json, with the role log; seal again afterwards\n"
		"  append  adds the bytes of each FILE, at most 65535, as one entry and signs the\n"
		"          new checkpoint. Killed at any moment, it has added all of them or none;\n"
		"          with --once an entry that is there already is not added again\n"
		"  prove   writes the proof that entry INDEX stands in the log (C2SP's tlog-proof),\n"
		"          or, with --since, that the log only grew since that checkpoint\n"
		"  verify  checks such a proof without the log: that the entry in FILE was logged,\n"
		"          or that the log only grew since CHECKPOINT\n"
		"  audit   computes everything again from the entries: every tile, the root hash,\n"
		"          nothing missing, nothing extra; with --since, that the log begins with\n"
		"          what it had at that checkpoint\n"
		"\n"
		"  --vkey VKEY  the log's verifier key, as you got it from elsewhere. Without it a\n"
		"               bundle's log is checked with the keys of manifests/trust.json, and\n"
		"               another one with the key beside it, which audit says\n"
		"  --json       one canonical JSON object, for machines\n"
		"\n"
		"Keep a checkpoint now and then: only a reader who has an older one can see that a\n"
		"log's history was rewritten.\n"
		"\n"
		"Exits 0 if done or if it holds, 1 if it does not hold, 2 for an INDEX that is not in\n"
		"the log, 3 if a file is malformed or missing, 4 if a file cannot be written or another\n"
		"append is at work.\n",
};
