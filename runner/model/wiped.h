/* Memory for libcurl that is zeroed before it is given back: its buffers hold keys while they are sent. */
#ifndef PTXSEAL_MODEL_WIPED_H
#define PTXSEAL_MODEL_WIPED_H

#include <stdbool.h>

/* curl_global_init with such memory; curl_global_cleanup as ever. False if libcurl cannot be used. */
bool wiped_curl_init(void);

#endif
