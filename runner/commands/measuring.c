#include "measuring.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../bundle/ledger.h"

enum { TRIALS_LEAST = 3, TRIALS_MOST = 10000, SECONDS_MOST = 3600 };

bool measuring_trials(struct measuring *measuring, const char *text)
{
	char *end;

	measuring->trials = strtoll(text, &end, 10);
	return text[0] >= '0' && text[0] <= '9' && *end == '\0' && measuring->trials >= TRIALS_LEAST && measuring->trials <= TRIALS_MOST;
}

bool measuring_seconds(struct measuring *measuring, const char *text)
{
	return decimal_parse(text, strlen(text), &measuring->seconds) && measuring->seconds <= SECONDS_MOST;
}

bool measuring_memcheck(struct measuring *measuring, const char *text)
{
	measuring->memcheck = text;
	return strcmp(text, "auto") == 0 || strcmp(text, "off") == 0 || strcmp(text, "require") == 0;
}

void measuring_date(char date[16])
{
	const time_t now = time(NULL);
	struct tm utc;

	strftime(date, 16, "%Y-%m-%d", gmtime_r(&now, &utc));
}

#ifdef PTXSEAL_CUDA
_Static_assert((int)MEASURING_TRIALS == (int)TRIALS_DEFAULT && MEASURING_SECONDS == (int)REPLAY_SECONDS_DEFAULT, "a run measures as a replay does");

static enum status open_device(struct measuring *measuring, struct assessor *assessor, struct error *err)
{
	struct replay_options how = {.seconds = measuring->seconds};
	char date[16];

	while (how.memcheck <= MEMCHECK_REQUIRE && strcmp(measuring->memcheck, memcheck_mode_name(how.memcheck)) != 0)
		how.memcheck++;
	measuring_date(date);
	return appraiser_open(assessor, (size_t)measuring->trials, &how, date, &measuring->appraiser, err);
}

void measuring_close(struct measuring *measuring)
{
	appraiser_close(&measuring->appraiser);
}

void measuring_stop(void)
{
	replay_stop = 1;
}
#else
static enum status open_device(struct measuring *measuring, struct assessor *assessor, struct error *err)
{
	(void)measuring, (void)assessor;
	return error_set(err, R_GPU_BUILD, "", "this program was built without the toolkit, so nothing can be measured");
}

void measuring_close(struct measuring *measuring)
{
	(void)measuring;
}

void measuring_stop(void)
{
}
#endif

enum status measuring_open(struct measuring *measuring, struct assessor *assessor, evaluator **evaluate, void **context, struct error *err)
{
	assessor->keep = true;
	*evaluate = assess;
	*context = assessor;
	if (!measuring->wanted)
		return OK;
#ifdef PTXSEAL_CUDA
	*evaluate = appraise;
	*context = &measuring->appraiser;
#endif
	return open_device(measuring, assessor, err);
}
