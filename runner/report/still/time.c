/*
 * A clock that stands still, loaded into gnuplot where it writes PDF: cairo puts the time of day into every PDF, since 1.17.6 compressed, and has no switch for it. The date is
 * no one's: 2000-01-01T00:00:00Z.
 */
#include <stddef.h>
#include <time.h>

__attribute__((visibility("default"))) time_t time(time_t *at)
{
	const time_t still = 946684800;

	if (at != NULL)
		*at = still;
	return still;
}
