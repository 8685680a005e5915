# R-LOW-002: a toolkit of which a part lacks (pip has it in parts) is said to be that; that its nvcc refuses a source is no difference.
nvcc=${CUDA_HOME:-/usr/local/cuda}/bin/nvcc
[ -x "$nvcc" ] || { echo 'there is no nvcc here'; exit 77; }
mkdir -p parts/bin
cp -L "$nvcc" "${nvcc%/*}/ptxas" parts/bin/
CUDA_HOME=$PWD/parts "$PTXSEAL" rebuild --candidate gemm_n7168_k5120/tvm-ffi "$REPO" | sed -E 's/[0-9a-f]{64}, ptxas [0-9.]+/HEX, ptxas V/'
