# gcc builds everything else here; clang, with the same warnings as errors, must be able to as well.
command -v clang >/dev/null || { echo 'clang is not installed'; exit 77; }
make -s -C "$REPO" -j2 BUILD="$PWD/build" CC=clang all && build/ptxseal --version >/dev/null
