# Where there is no CUDA toolkit the program is built whole, but for what needs a GPU: nothing that stays calls what is left out. Such a build verifies.
make -s -C "$REPO" -j2 BUILD="$PWD/build" NVCC= CFLAGS=-O0 all 2>told
code=$?
grep -v '^built without CUDA (' told >&2
[ $code -eq 0 ] && build/ptxseal --version >/dev/null && build/ptxseal verify "$REPO" >out && grep -o '^verified' out
