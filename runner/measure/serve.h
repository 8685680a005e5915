/* The worker's side of the protocol: what `ptxseal worker` does. Started by a judge only; talks through descriptors 3 to 5 (share.h). */
#ifndef PTXSEAL_MEASURE_SERVE_H
#define PTXSEAL_MEASURE_SERVE_H

#include "../base/error.h"

/* Returns when the judge says quit or is gone; the process then has to end without exit handlers (_exit). */
enum status worker_serve(void);

#endif
