# R-TLC-001: without ptxas a PTX text is not assembled; nothing is reported that could be taken for the whole.
[ ! -x /usr/local/cuda/bin/ptxas ] && [ ! -x /opt/cuda/bin/ptxas ] || {
	echo 'a CUDA toolkit stands in a usual place here'
	exit 77
}
env -i "$PTXSEAL" inspect "$REPO/tests/kernel/wgmma_null.ptx"
