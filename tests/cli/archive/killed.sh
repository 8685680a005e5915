# base/draft.h: pack and unpack killed at random moments, then run again. `make soak` does it 200 times.
. "$REPO/tests/cli/archive/common"
content
mkdir -p b/artifact/candidates/big
for i in 1 2 3 4; do head -c 4000000 /dev/urandom >b/artifact/candidates/big/$i; done
keys
"$PTXSEAL" seal --role import --key import.key b >seal.out
"$PTXSEAL" seal --role root --key root.key b >seal.out
python3 "$REPO/tests/archive/kill.py" "$PTXSEAL" b 10 >said
grep -q 'nothing was lost' said || cat said
