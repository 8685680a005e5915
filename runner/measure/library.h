/*
 * NVIDIA's libraries, found and opened at run time: nothing of theirs is linked to. Looked for, in this order:
 *   1. the directories of PTXSEAL_CUDA_LIBS (parted by ':'), so that a reader can always say which one is meant;
 *   2. the loader's own search (LD_LIBRARY_PATH, ld.so.cache, the system's folders);
 *   3. the driver's folders of containers, NixOS and WSL, for what comes with the driver;
 *   4. CUDA_HOME/lib64, then /usr/local/cuda and /usr/local/cuda-* (the highest version first), lib64 of each;
 *   5. pip's packages, nvidia/cu13/lib then nvidia/<any>/lib beneath the site-packages and dist-packages of: VIRTUAL_ENV, CONDA_PREFIX, the prefix
 *      of every python3 on PATH (as named there, then with links followed), ~/.local, /usr/local, /usr;
 *   6. lib/ beside the program, and beside the program's folder: where a portable folder keeps what its user added.
 * A file that is there but cannot be loaded does not end the search; if nothing else is found, the message says why it could not.
 */
#ifndef PTXSEAL_MEASURE_LIBRARY_H
#define PTXSEAL_MEASURE_LIBRARY_H

#include <cjson/cJSON.h>

#include "../base/error.h"

#define LIBRARY_CUBLASLT "libcublasLt.so.13"
#define LIBRARY_CUDNN "libcudnn.so.9"
#define LIBRARY_CUPTI "libcupti.so.13"
#define LIBRARY_NVML "libnvidia-ml.so.1"
#define LIBRARY_NVRTC "libnvrtc.so.13" /* cuDNN compiles some kernels with it */

struct library {
	void *handle;              /* of dlopen; NULL when not open */
	char path[ERROR_FILE_MAX]; /* the loaded file, links followed */
	const char *place;         /* which of the places above, for the record; static text */
};

/* UNAVAILABLE with R_GPU_LIBRARY and the list of places where it was looked for; *library is then all zero. The libraries of CUDA keep threads and
 * exit handlers: those stay open until the process ends. */
enum status library_open(const char *soname, struct library *library, struct error *err);
void library_close(struct library *library); /* fine on a closed one */

/* pointer is the address of a function pointer, which is set to the symbol; R_GPU_LIBRARY, naming the file, if there is none. */
enum status library_function(const struct library *library, const char *symbol, void *pointer, struct error *err);

/*
 * The loaded files whose names begin with one of prefixes (NULL-terminated), in the order of their names, whoever loaded them: a library such as cuDNN is a shell that
 * loads others as it needs them, so ask after it has done its work. An array of {"bytes","file","found","sha256"}: file is the name alone, found says by which of
 * the places above its folder was reached, "loader" for what the loader found without us. A file that can no longer be read has null for bytes and sha256.
 * Files are hashed in parallel, each once as long as the process runs and its size, time and inode stay. The caller deletes the array.
 */
cJSON *library_files(const char *const *prefixes);

#endif
