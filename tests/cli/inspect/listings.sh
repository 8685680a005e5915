# docs/kernel.md: the recorded listings of tests/kernel, each compared with nvdisasm when it was recorded, are what is read now.
for cubin in "$REPO"/tests/kernel/*.cubin; do
	name=$(basename "$cubin" .cubin)
	"$PTXSEAL" inspect --list "$cubin" | cmp - "$REPO/tests/kernel/$name.lst" || echo "$name differs"
done
