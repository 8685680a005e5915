/* Where a request that an agent makes stands in the record of its session: requests are turns, counted in the order in which they come. The same request after a try that was no answer is a
 * further attempt of its turn; after an answer it asks for a further sample. A number of which nothing was recorded is given to the next request, so that a record has no gaps. */
#ifndef PTXSEAL_MODEL_ASKED_H
#define PTXSEAL_MODEL_ASKED_H

#include "freeze.h"

struct asked;

/* What the run has already. trajectory: of the session. */
struct asked *asked_open(const struct freezer *freezer, uint32_t trajectory);
void asked_close(struct asked *asked); /* NULL is fine */

struct asked_place {
	uint32_t turn, attempt, sample;
	size_t index; /* for asked_end */
};
struct asked_place asked_begin(struct asked *asked, const struct request *request);
/* Its try has ended. attempted: it was recorded. */
void asked_end(struct asked *asked, const struct asked_place *place, bool attempted, bool answered);

#endif
