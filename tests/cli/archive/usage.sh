# Wrong command lines.
. "$REPO/tests/cli/verify/common"
for arguments in "pack" "pack --output" "pack --output x a b" "pack --output x --level all" "pack --output x --zstd-level 20" "pack --output x --zstd-level 0" \
	"pack --output x --threads many" "pack --wrong" "unpack" "unpack one" "unpack one two three" "unpack --force one" "unpack --output one two" "unpack one --output two" "bag" "bag a b" "bag --wrong a"; do
	"$PTXSEAL" $arguments 2>&1 | head -n 1 || [ ${PIPESTATUS[0]} -eq 2 ]
done
echo packed >packed.tar.zst
"$PTXSEAL" bag packed.tar.zst 2>&1 || [ $? -eq 3 ]
