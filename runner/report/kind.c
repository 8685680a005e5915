#include "kind.h"

#include <stdbool.h>

#include "html.h"

enum { LINKS_MAX = 60 }; /* of one opcode */

static const struct kind kinds[SASS_GROUP_COUNT] = {
	[SASS_GROUP_GMMA] = {'W', "wgmma multiply"},
	[SASS_GROUP_TMA] = {'T', "copy through a tensor map"},
	[SASS_GROUP_BULK] = {'B', "bulk copy without a map"},
	[SASS_GROUP_TCGEN] = {'5', "tcgen05, tensor memory"},
	[SASS_GROUP_SERVICE] = {'s', "stands around these: fences, barriers"},
	[SASS_GROUP_WARP] = {'m', "by one warp, as on sm_80"},
};

const struct kind *kind_of(enum sass_group group)
{
	return &kinds[group];
}

void kind_put(enum sass_group group, struct bytes *out)
{
	html_put(out, "<span class=\"kind %s\"><b aria-hidden=true>", sass_group_name(group));
	bytes_char(out, kinds[group].letter);
	html_put(out, "</b> %s</span>", kinds[group].word);
}

void kind_legend(unsigned groups, struct bytes *out)
{
	if (groups == 0)
		return;
	bytes_text(out, "<ul class=kinds aria-label=\"What marks stand for\">\n");
	for (unsigned group = SASS_GROUP_NONE + 1; group < SASS_GROUP_COUNT; group++)
		if ((groups & 1u << group) != 0) {
			bytes_text(out, "<li>");
			kind_put(group, out);
			bytes_char(out, '\n');
		}
	bytes_text(out, "</ul>\n");
}

static void put_place(const struct place *first, const struct place *last, size_t count, struct bytes *out)
{
	const bool linked = first->link[0] != '\0';

	if (linked)
		html_put(out, "<a href=\"#%s\">", first->link);
	bytes_text(out, first->text);
	if (count > 1)
		html_put(out, "–%s", last->text);
	bytes_text(out, linked ? "</a>" : "");
	if (count > 1)
		html_put(out, " ×%zu", count);
}

void kind_places(const struct place *places, size_t count, uint64_t near, struct bytes *out)
{
	size_t links = 0, shown = 0;

	for (size_t end; shown < count && links < LINKS_MAX; links++, shown = end) {
		for (end = shown + 1; end < count && places[end].at - places[end - 1].at <= near; end++)
			;
		bytes_text(out, links > 0 ? ", " : "");
		put_place(&places[shown], &places[end - 1], end - shown, out);
	}
	if (shown < count)
		html_put(out, " and %zu more", count - shown);
}
