# R-STM-004, R-STM-005, R-STM-006: root statements that are wrong.
. "$REPO/tests/cli/verify/common"
sealed
payload b/manifests/root.dsse.json >good
try() {
	printf -- '-- %s\n' "$1"
	envelope b/manifests/root.dsse.json root.key
	check || [ $? -eq 1 ]
}
sed 's/\("sha256":"\)..../\10000/' good | try "another list"
sed 's,checksums/SHA256SUMS,tasks/gemm/task.json,' good | try "another subject"
sed 's,"subject":\[.*}],&X,; s,]X,\,{"digest":{"sha256":"'"$(sha256sum <b/tasks/gemm/task.json | cut -c 1-64)"'"}\,"name":"tasks/gemm/task.json"}],' good | try "a second subject"
sed 's/"files":[0-9]*/"files":1/' good | try "other totals"
sed 's/"artifact",//' good | try "other directories"
cat good | try "good"
