# --header needs no toolkit: nothing of it is reachable here.
env -i "$PTXSEAL" inspect --header "$REPO/tests/kernel/tma_pair.ptx"
