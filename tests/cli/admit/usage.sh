# Wrong command lines of submit and admit; the printed file of facts is one that is taken once its words are the submitter's; what is refused leaves nothing.
. "$REPO/tests/cli/admit/common"
try() {
	"$PTXSEAL" "$@" 2>&1 | head -n 1 || true
}
try submit
try submit --facts f --key k
try submit --facts f --key k --into d --output o
try submit --what
try submit --facts f --key k --into d one two
try admit
try admit s
try admit --check --key k s
try admit --check s t
"$PTXSEAL" submit --template >facts.json
"$PTXSEAL" keygen --out k --public p >out
mkdir -p w/artifact/runs
for words in 'where to ask' 'the model, as its makers write it' a-name-for-your-source 'what a reader should know; may be empty' 'who submits' 'was the task in the training set?'; do
	"$PTXSEAL" submit --facts facts.json --key k --into s w 2>&1 | sed 's/ (R-SUB-001.*//' || true # the template's own words
	sed -i "s/\"$words\"/\"ours\"/" facts.json
done
"$PTXSEAL" submit --facts facts.json --key k --into s w | tail -n 1 || true
sed -i 's/"source": "ours"/"source": "a\/b"/' facts.json
"$PTXSEAL" submit --facts facts.json --key k --into s w 2>&1 || echo "exit $?"
sed -i 's/"model"/"Model"/' facts.json
"$PTXSEAL" submit --facts facts.json --key k --into s w 2>&1 || echo "exit $?"
echo '{' >facts.json
"$PTXSEAL" submit --facts facts.json --key k --output s.tar.zst w 2>&1 || echo "exit $?"
echo nothing >s.tar.zst
mkdir archive
"$PTXSEAL" admit --check --into archive s.tar.zst 2>&1 | sed 's/ (R-.*//' || true
"$PTXSEAL" admit --check --into archive none 2>&1 | sed 's/ (R-.*//' || true
ls -A . archive
