# The portable folder runs where there is nothing but the C library: in a root of its own the program tells its version, verifies a bundle, and says what a replay lacks: a driver (R-GPU-002), or where the program was built without CUDA, that (R-GPU-001). It is made
# of what was built, as in house/install; without a CUDA toolkit make says that it cannot replay, and goes on.
set -eu -o pipefail
chroot / true 2>/dev/null || { echo 'only root may change its root directory'; exit 77; }
mkdir -p build/runner root/b
cp "$REPO/build/libptxseal.a" build/
cp "$REPO/build/runner/main.o" build/runner/
make -s -C "$REPO" BUILD="$PWD/build" -o "$PWD/build/libptxseal.a" -o "$PWD/build/runner/main.o" NVCC= portable 2>told
grep -o '^make portable: this one cannot replay: no nvcc' told
grep -v '^make portable: ' told >&2 || true
ldd build/portable/ptxseal | sed -n 's/.*[ \t]\(\/[^ ]*\) (0x.*/\1/p' | sort -u >needed
grep -v "^$PWD/build/portable/lib/" needed >system
sed -E 's/.*\/(ld-linux|lib[a-z]*).*/\1/' system | sort
while read -r library; do
	mkdir -p "root${library%/*}"
	cp -L "$library" "root$library"
done <system
cp -r build/portable root/p
cp -r "$REPO"/{artifact,tasks,manifests,checksums} root/b/
# Where there is no /proc the loader has to be told what $ORIGIN is.
export LD_ORIGIN_PATH=/p
chroot root /p/ptxseal --version | grep -o '^ptxseal'
chroot root /p/ptxseal verify /b | grep -o '^verified'
chroot root /p/ptxseal replay --task gemm_n7168_k5120 --candidate plain /b 2>err || echo "exit $?"
"$PTXSEAL" replay --no-such-option 2>plain || true
grep -q "$(grep -o R-GPU-001 plain || echo R-GPU-002)" err
