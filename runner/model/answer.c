#include "answer.h"

#include <string.h>

bool answer_uses_turn(enum reply_class reply_class)
{
	return reply_class == REPLY_ANSWER || reply_class == REPLY_EMPTY || reply_class == REPLY_TRUNCATED || reply_class == REPLY_REFUSED;
}

bool answer_extract(enum form form, const struct reply_text *reply, struct extracted *extracted)
{
	if (reply->reply_class == REPLY_ANSWER)
		return extraction_find(form, reply->content.data != NULL ? reply->content.data : "", reply->content.len, extracted);
	*extracted = (struct extracted){.why = mem_format("the reply is %s: %s", reply_class_name(reply->reply_class), reply->why != NULL ? reply->why : "")};
	return false;
}

bool answer_was(const struct evaluation *evaluation, const struct extracted *extracted)
{
	if (evaluation->files != extracted->count || (evaluation->why_none != NULL) != (extracted->why != NULL))
		return false;
	if (extracted->why != NULL)
		return strcmp(evaluation->why_none, extracted->why) == 0;
	for (size_t i = 0; i < extracted->count; i++) {
		const struct sha256 id = sha256_of(extracted->file[i].text.data, extracted->file[i].text.len);

		if (strcmp(evaluation->file[i].path, extracted->file[i].path) != 0 || memcmp(&evaluation->file[i].id, &id, sizeof id) != 0)
			return false;
	}
	return true;
}
