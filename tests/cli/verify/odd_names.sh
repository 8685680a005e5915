# The three escapes of sha256sum, and its own verdict: a name with each, a space and a percent sign.
. "$REPO/tests/cli/verify/common"
content
keys
printf 1 >"b/tasks/back\\slash"
printf 2 >b/tasks/$'new\nline'
printf 3 >b/tasks/$'Icon\r'
printf 4 >"b/tasks/has space.tar"
printf 5 >b/tasks/file%0A1.ptx
"$PTXSEAL" seal --role import --key import.key b >seal.out
"$PTXSEAL" seal --role root --key root.key b | hide
check
cd b
sha256sum -c --strict --quiet checksums/SHA256SUMS
find artifact tasks manifests -type f ! -path manifests/root.dsse.json -print0 | LC_ALL=C sort -z | xargs -0 sha256sum |
	cmp - checksums/SHA256SUMS
