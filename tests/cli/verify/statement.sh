# R-STM-001, R-STM-002, R-STM-004, R-STM-005, R-STM-006: signed statements that are wrong.
. "$REPO/tests/cli/verify/common"
sealed
payload b/manifests/demo.dsse.json >good
try() {
	printf -- '-- %s\n' "$1"
	envelope b/manifests/demo.dsse.json import.key
	reseal
	check || [ $? -eq 1 ]
}
sed 's,Statement/v1,Statement/v0.1,' good | try "other statement version"
sed 's/\("subject":\[\)\({[^}]*}[^}]*}\)/\1\2,\2/' good | try "a subject twice"
sed 's/\("subject":\[{"digest":{"sha256":"\)..../\10000/' good | try "other bytes"
sed 's,artifact/runs/first/run.json,tasks/gemm/task.json,' good | try "not of this source"
sed 's,artifact/runs/first/run.json,artifact/runs/none/run.json,' good | try "not there"
sed 's,artifact/runs/first/run.json,../../etc/hosts,' good | try "outside"
sed 's/0123abc/0123abd/' good | try "other provenance"
cat good | try "good"
