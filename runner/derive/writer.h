/* A derived table as CSV (RFC 4180, LF), GitHub-flavoured Markdown and LaTeX (a longtable), the same bytes everywhere. */
#ifndef PTXSEAL_DERIVE_WRITER_H
#define PTXSEAL_DERIVE_WRITER_H

#include "derived.h"

void write_csv(const struct derived *derived, struct bytes *out);
void write_markdown(const struct derived *derived, struct bytes *out);
void write_latex(const struct derived *derived, struct bytes *out);

/* Append text so that it stands for itself in a line of Markdown or LaTeX. Control characters, line ends among them, are shown as
 * escapes (base/utf8.h). */
void markdown_text(const char *text, struct bytes *out);
void latex_text(const char *text, struct bytes *out);

#endif
