# A submission is checked, admitted, sealed and verified; its runs stand in the tables with their source, and the published cells are as they were. The same one
# is known then (R-ADM-001), packed or not.
. "$REPO/tests/cli/admit/common"
submission $gemm
hide <submit.out
archive
"$PTXSEAL" derive --check --out before a >check.before
"$PTXSEAL" admit --check --into a s | hide
find a -type f | sort | xargs sha256sum >files.before
"$PTXSEAL" admit --check --into a s >out
find a -type f | sort | xargs sha256sum | cmp - files.before
"$PTXSEAL" submit --facts facts.json --key lab.key --output s.tar.zst w | hide
"$PTXSEAL" admit --key log.key --into a s.tar.zst | tail -n 2
"$PTXSEAL" verify a >out && echo "verified without a seal" || grep -c R-ADM-015 out
seal_archive
"$PTXSEAL" verify a | hide | head -n 1 | sed -E "s/[0-9]+ files, [0-9.]+ MiB/N files/"
"$PTXSEAL" verify a | hide | sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2}/DATE/' | grep -E '^(Submission log|Admitted)'
"$PTXSEAL" evaluate --out page a 2>&1 | hide | sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2}/DATE/' | grep -E '^  (Submission log|Admitted)'
"$PTXSEAL" derive --check --out after a >check.after
diff <(grep -v 'measured\|trained' check.before) <(sed s/after/before/ check.after | grep -v 'measured\|trained') # which have a row more
grep -c '^lab,Model L,executed,lab-gemm' after/measured.csv
"$PTXSEAL" admit --key log.key --into a s.tar.zst >again || echo "exit $?"
hide <again | grep R-ADM
"$PTXSEAL" admit --key log.key --into a s >again || echo "exit $?"
hide <again | grep R-ADM
id=$(ls a/manifests/submissions)
vkey=$(tail -n 1 log.out)
"$PTXSEAL" log verify "a/manifests/submissions/$id/proof" "a/manifests/submissions/$id/entry.json" --vkey "$vkey"
"$PTXSEAL" verify a >out && echo "still verified"
