/* Writing the record, for what stands in for CUDA. */
#ifndef PTXSEAL_MEASURE_RECORD_TEXT_H
#define PTXSEAL_MEASURE_RECORD_TEXT_H

#include "recorder.h"

#define EXPORT __attribute__((visibility("default")))

extern struct recorder_setup recorder;

/* One call: begun with its name, then fields, then ended. Numbers are texts: they have 64 bits. */
void record_begin(const char *call);
void record_number(const char *key, uint64_t value);
void record_hex(const char *key, const void *bytes, size_t len);
void record_text(const char *key, const char *text);
void record_numbers(const char *key, const uint64_t *values, size_t count);
void record_list(const char *key);                      /* record_hex with key NULL until record_list_end */
void record_list_end(void);
void record_end(void);

/* The call cannot be data. kind: "calls", "copy", "order", "fill", "launch", "unknown". */
_Noreturn void record_refuse(const char *kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Refuses what is called before run is. */
void record_running(const char *call);

#endif
