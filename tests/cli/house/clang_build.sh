# gcc builds everything else here; clang, with the same warnings as errors, must be able to as well. That CUDA is missing is said, and is no warning.
command -v clang >/dev/null || { echo 'clang is not installed'; exit 77; }
make -s -C "$REPO" -j2 BUILD="$PWD/build" CC=clang all 2>told
code=$?
grep -v '^built without CUDA (' told >&2
[ $code -eq 0 ] && build/ptxseal --version >/dev/null
