# The example of docs/query.md, as it stands there but for the server's address.
. "$REPO/tests/cli/query/common"
cp -r "$REPO/tasks" tasks
mkdir build
ln -s "$PTXSEAL" build/ptxseal
sed -n '/^```sh$/,/^```$/{/^```/!p}' "$REPO/docs/query.md" >example
sed -i "s|http://127.0.0.1:8080/v1|http://127.0.0.1:$port/talk/v1|" example
grep -c "127.0.0.1:$port/talk" example
# One command of it after the other, as it is pasted.
bash -e example 2>err | sed -E "s/[0-9a-f]{64}, ptxas [0-9.]+/HEX, ptxas V/" || { echo "exit $?"; cat err; }
