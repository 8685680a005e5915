# The judge is plain openssl and sha256sum: the commands of docs/formats.md.
. "$REPO/tests/cli/verify/common"
sealed
cd b
sed -n '/^```sh$/,/^```$/{/^```/!p}' "$REPO/docs/formats.md" >../commands
sed -i 's/ptxbench/demo/g; s|/tmp/|../|g' ../commands
bash -eu ../commands | hide
