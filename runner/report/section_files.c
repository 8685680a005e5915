/* Which files the page rests on, and who vouches for each; and, of a model's kernel, what was said. */
#include <stdlib.h>
#include <string.h>

#include "../bundle/layout.h"
#include "../bundle/objects.h"
#include "../bundle/replays.h"
#include "html.h"
#include "page.h"
#include "sections.h"
#include "show.h"

enum { SAID_MAX = 24 << 10, SIGNERS_MAX = 16 };

/* ---- files ---- */

static void put_agreement(const char *what, bool listed, bool same, struct bytes *out)
{
	html_put(out, "<td>");
	if (!listed)
		html_put(out, "<span class=\"verdict open\"><span aria-hidden=true>–</span> not in %s</span></td>", what);
	else if (same)
		bytes_text(out, "<span class=\"verdict good\"><span aria-hidden=true>✓</span> same</span></td>");
	else
		bytes_text(out, "<span class=\"verdict bad\"><span aria-hidden=true>✗</span> another SHA-256</span></td>");
}

static void put_state(enum kernel_file_state state, struct bytes *out)
{
	static const struct {
		const char *kind, *text;
	} states[] = {[KERNEL_FILE_SAME] = {"good", "✓ there, these bytes"},  [KERNEL_FILE_DIFFERS] = {"bad", "✗ there, other bytes"}, [KERNEL_FILE_LEFT_OUT] = {"open", "– left out at this level"},
	              [KERNEL_FILE_MISSING] = {"bad", "✗ missing"}, [KERNEL_FILE_UNREADABLE] = {"bad", "✗ cannot be read"}};

	html_put(out, "<td><span class=\"verdict %s\">%s</span></td>", states[state].kind, states[state].text);
}

/* The columns behind a file's name: its hash, whether it is there, and what the seal and the manifest say of it. */
static void put_vouchers(const struct kernel *kernel, const char *path, const struct sha256 *hash, struct bytes *out)
{
	const struct checksum *sum = checksums_find(&kernel->sealed->sums, path);
	const struct subject *subject = kernel->manifest->believed ? statement_find(&kernel->manifest->statement, path) : NULL;

	put_agreement("SHA256SUMS", sum != NULL, sum != NULL && memcmp(&sum->hash, hash, sizeof *hash) == 0, out);
	put_agreement("the manifest", subject != NULL, subject != NULL && memcmp(&subject->hash, hash, sizeof *hash) == 0, out);
}

static void put_file(const struct kernel *kernel, const char *path, const struct sha256 *hash, const cJSON *bytes, enum kernel_file_state state, struct bytes *out)
{
	char hex[SHA256_HEX + 1];

	sha256_hex(hash, hex);
	html_put(out, "<tr><th scope=row><code class=path>%s</code></th><td>", path);
	show_hash(out, hex);
	bytes_text(out, "</td><td class=n>");
	if (bytes != NULL)
		show_count(out, bytes);
	bytes_text(out, "</td>");
	put_state(state, out);
	put_vouchers(kernel, path, hash, out);
	bytes_text(out, "</tr>\n");
}

static void put_record(const struct kernel *kernel, struct bytes *out)
{
	struct bytes text = {0};
	struct error err;

	if (root_read(kernel->bundle, kernel->path, REPLAY_RECORD_MAX, &text, &err) == OK) {
		const struct sha256 hash = sha256_of(text.data != NULL ? text.data : "", text.len);
		cJSON *bytes = cJSON_CreateNumber((double)text.len);

		put_file(kernel, kernel->path, &hash, bytes, KERNEL_FILE_SAME, out);
		cJSON_Delete(bytes);
	}
	bytes_free(&text);
}

static void put_manifest(const struct manifest *manifest, struct bytes *out)
{
	char hex[SHA256_HEX + 1];

	if (manifest->path == NULL) {
		bytes_text(out, "<p class=warning>No manifest of its run stands in this bundle: nobody vouches for the record.</p>\n");
		return;
	}
	sha256_hex(&manifest->hash, hex);
	html_put(out, "<p>The run’s manifest is <code class=path>%s</code>, SHA-256 ", manifest->path);
	show_hash(out, hex);
	if (!manifest->believed) {
		html_put(out, ".</p>\n<p class=warning>It cannot be believed: %s.</p>\n", manifest->why_not != NULL ? manifest->why_not : "its signature is not good");
		return;
	}
	bytes_text(out, ". It is signed by:</p>\n<ul>\n");
	for (size_t i = 0; i < manifest->signers.count && i < SIGNERS_MAX; i++) {
		html_put(out, "<li><code class=path>%s</code>, %s, fingerprint ", manifest->signers.at[i]->file, manifest->signers.at[i]->purpose);
		show_hash(out, manifest->signers.at[i]->fingerprint);
		bytes_char(out, '\n');
	}
	bytes_text(out, "</ul>\n");
}

void section_files(const struct kernel *kernel, struct bytes *out)
{
	const cJSON *inputs = replay_at(kernel->record, "inputs");

	put_manifest(kernel->manifest, out);
	page_table("files", "Files", out);
	bytes_text(out, "<thead><tr><th scope=col>file</th><th scope=col>SHA-256, as the record has it</th><th scope=col class=n>bytes</th><th scope=col>in this bundle</th>"
	                "<th scope=col>checksums/SHA256SUMS</th><th scope=col>manifest of the run</th></tr></thead><tbody>\n");
	put_record(kernel, out);
	for (size_t i = 0; i < kernel->file_count; i++)
		put_file(kernel, kernel->files[i].path, &kernel->files[i].hash, kernel->files[i].bytes, kernel->files[i].state, out);
	bytes_text(out, "</tbody></table></div>\n");
	if (!cJSON_IsArray(inputs) || inputs->child == NULL)
		return;
	bytes_text(out, "<details><summary>SHA-256 of the inputs</summary>\n<dl class=facts>\n");
	size_t rows = 0;

	for (const cJSON *item = inputs->child; item != NULL && rows < 40; item = item->next, rows++) {
		const cJSON *hashes = replay_at(item, "sha256");

		html_put(out, "<div><dt>values %s, seed %s%s</dt><dd>", replay_text(item, "values"), replay_text(item, "seed"), cJSON_IsTrue(replay_at(item, "listed")) ? ", as artifact/facts/inputs.jsonl lists them" : "");
		for (const cJSON *hash = hashes != NULL ? hashes->child : NULL; hash != NULL; hash = hash->next) {
			html_put(out, "%s ", hash->string);
			show_hash(out, cJSON_IsString(hash) ? hash->valuestring : "");
			bytes_text(out, hash->next != NULL ? "<br>" : "");
		}
		show_end(out);
	}
	bytes_text(out, "</dl></details>\n");
}

/* ---- what was said ---- */

static void put_said(const struct kernel *kernel, const char *what, const char *id, struct bytes *out)
{
	struct sha256 hash;
	struct bytes text = {0};
	struct error err;

	if (!sha256_parse(id, &hash))
		return;
	char *path = object_path(&hash);

	html_put(out, "<h3 id=\"said-%s\">%s</h3>\n<p><code class=path>%s</code></p>\n", what, what, path);
	if (object_get(kernel->bundle, &hash, &text, &err) != OK) {
		html_put(out, "<p class=note>%s</p>\n", sealed_leaves_out(kernel->sealed, path) ? "It travels apart: it is sealed, and left out of the bundle at its level." : "It is not in this bundle, or not with these bytes.");
	} else {
		const size_t shown = text.len < SAID_MAX ? text.len : SAID_MAX;

		html_put(out, "<details><summary>%zu bytes</summary>\n<pre class=said tabindex=0 role=region aria-label=\"%s\">", text.len, what);
		html_lines(text.data != NULL ? text.data : "", shown, out);
		bytes_text(out, "</pre>\n");
		if (shown < text.len)
			html_put(out, "<p class=note>Its last %zu bytes are not shown here.</p>\n", text.len - shown);
		bytes_text(out, "</details>\n");
	}
	bytes_free(&text);
	free(path);
}

void section_conversation(const struct kernel *kernel, struct bytes *out)
{
	const struct turn *turn = kernel->turn;

	if (turn == NULL || turn->prompt[0] == '\0')
		return;
	html_put(out, "<p>Turn %u of trajectory %u: what the model was asked, what it answered, and what it was told of its answer. Each is an object, named by its SHA-256.</p>\n", turn->turn, turn->trajectory);
	put_said(kernel, "prompt", turn->prompt, out);
	put_said(kernel, "response", turn->response, out);
	put_said(kernel, "feedback", turn->feedback, out);
}
