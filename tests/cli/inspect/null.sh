# A bare wgmma.commit_group makes a multiply that counts as null; the multiply of a first step does count.
"$PTXSEAL" inspect "$REPO/tests/kernel/wgmma_null.cubin"
