#include "progress.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bytes.h"
#include "clock.h"

enum {
	SILENT_MS = 500, /* short work shows nothing */
	REDRAW_MS = 100,
};

struct progress {
	const char *what;
	const char *unit;
	uint64_t total;
	uint64_t done;
	bool shown;  /* a line stands on the terminal */
	uint64_t start_ms;
	uint64_t drawn_ms;
	pthread_mutex_t lock;
};

struct progress *progress_start(const char *what, const char *unit, uint64_t total, bool quiet)
{
	if (quiet || !isatty(STDERR_FILENO))
		return NULL;
	struct progress *p = mem_alloc(sizeof *p);

	p->what = what;
	p->unit = unit;
	p->total = total;
	p->start_ms = clock_ms();
	pthread_mutex_init(&p->lock, NULL);
	return p;
}

void progress_amount(uint64_t n, bool is_bytes, char *out, size_t size)
{
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
	double value = (double)n;
	size_t unit = 0;

	if (!is_bytes) {
		snprintf(out, size, "%" PRIu64, n);
		return;
	}
	while (value >= 1024 && unit + 1 < sizeof units / sizeof units[0]) {
		value /= 1024;
		unit++;
	}
	snprintf(out, size, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
}

static void draw(struct progress *p, uint64_t now)
{
	bool is_bytes = strcmp(p->unit, "bytes") == 0;
	char done[32], total[32], left[48] = "";

	progress_amount(p->done, is_bytes, done, sizeof done);
	progress_amount(p->total, is_bytes, total, sizeof total);
	if (p->done > 0 && p->done < p->total) {
		double seconds = (double)(now - p->start_ms) / 1000 * (double)(p->total - p->done) / (double)p->done;

		snprintf(left, sizeof left, ", %.0f s left", seconds);
	}
	fprintf(stderr, "\r\033[K%s: %s of %s%s%s%s", p->what, done, total, is_bytes ? "" : " ",
	        is_bytes ? "" : p->unit, left);
	fflush(stderr);
	p->shown = true;
	p->drawn_ms = now;
}

void progress_add(struct progress *p, uint64_t more)
{
	if (p == NULL)
		return;
	pthread_mutex_lock(&p->lock);
	p->done += more;
	uint64_t now = clock_ms();

	if (now - p->start_ms >= SILENT_MS && now - p->drawn_ms >= REDRAW_MS)
		draw(p, now);
	pthread_mutex_unlock(&p->lock);
}

void progress_end(struct progress *p)
{
	if (p == NULL)
		return;
	if (p->shown) {
		fputs("\r\033[K", stderr);
		fflush(stderr);
	}
	pthread_mutex_destroy(&p->lock);
	free(p);
}
