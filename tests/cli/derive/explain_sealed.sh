# explain: in a sealed bundle the records stand under a manifest and a SHA-256, which sha256sum finds too.
. "$REPO/tests/cli/derive/sealed.inc"
"$PTXSEAL" explain correct one/4 correct bundle >report
tail -n 3 report | hide
hash=$(sha256sum <bundle/artifact/runs/one/turns.jsonl | cut -c 1-64)
grep -q "^  $hash  artifact/runs/one/turns.jsonl\$" report
