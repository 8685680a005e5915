# docs/kernel.md: nvdisasm and we agree on every instruction of every cubin of tests/kernel.
"${JUDGES:-python3}" "$REPO/tests/judges/check_sass.py" "$PTXSEAL" "$REPO"
