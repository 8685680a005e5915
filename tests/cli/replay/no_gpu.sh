# R-GPU-002: without a driver it could not be tried, and nothing is written.
. "$REPO/tests/cli/replay/common"
tiny_task
candidate right gemm_right
PTXSEAL_LIBCUDA=/nonexistent/libcuda.so.1 "$PTXSEAL" replay --into out b
