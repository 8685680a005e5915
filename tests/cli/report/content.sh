# What a bundle holds stands first: of each source its turns, models and tasks with the grade of evidence; of more than three sources the rest by number.
. "$REPO/tests/cli/derive/bundle.inc"
lede() {
	"$PTXSEAL" report --output out bundle >log
	sed 's/<[^>]*>//g' out/report.html | grep '^Answers to the task' | sed 's/.*its evaluation\. //'
}
# A run like the first one under other names.
like() { # run source model task turns position
	mkdir -p "bundle/artifact/runs/$1" "bundle/artifact/sources/$2"
	sed "s/\"run\":\"one\"/\"run\":\"$1\"/; s/\"source\":\"made\"/\"source\":\"$2\"/; s|\"M 1\"|\"$3\"|; s/\"gemm\"/\"$4\"/; s/\"position\":1/\"position\":$6/" bundle/artifact/runs/one/run.json >"bundle/artifact/runs/$1/run.json"
	sed "1,$5!d" bundle/artifact/runs/one/turns.jsonl >"bundle/artifact/runs/$1/turns.jsonl"
	[ -e "bundle/artifact/sources/$2/source.json" ] || printf '%s\n' '{"commit":"0123abc","files":[]}' >"bundle/artifact/sources/$2/source.json"
}
lede
like two other '<b>M</b> 2' mha 3 2
lede
like three other 'M 3' mha 1 3
lede
like four third 'M 4' gemm 1 4
like five fourth 'M 4' gemm 1 5
like six fourth 'M 5' gemm 1 6
lede
