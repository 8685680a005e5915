/* The process in which host code runs to be recorded (capture.h is its parent's side). Started by the program itself. */
#ifndef PTXSEAL_MEASURE_CAPTURE_SERVE_H
#define PTXSEAL_MEASURE_CAPTURE_SERVE_H

/* Reads the request, loads, calls run, and ends with the record written. Returns only where it could not begin; the process's exit code. */
int capture_serve(void);

#endif
