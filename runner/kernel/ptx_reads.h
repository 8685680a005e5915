/* Which bytes of a kernel's parameter its PTX can see. */
#ifndef PTXSEAL_KERNEL_PTX_READS_H
#define PTXSEAL_KERNEL_PTX_READS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Sets seen[i] for each byte of the parameter (size of them) that an ld.param with a fixed offset reads (PTX ISA 9.0, section 9.7.9.8); all of them where its name stands in any
 * other way, as where its address is taken. What is not seen is padding, or not used: it changes nothing. Comments and strings are passed over. False where an offset stands beside the
 * name that leads out of the parameter, or may: then nothing of any parameter is unseen. text is one that ptx_read has taken; names of parameters are
 * those of one entry only, as nvcc makes them: one of another entry's makes more bytes seen, never fewer.
 */
bool ptx_reads(const char *text, size_t len, const char *parameter, bool *seen, size_t size);

#endif
