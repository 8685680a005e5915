# Tensor maps, clusters, shared memory, cleared scratch, structures by value, answers about the device: what stands in candidate.json is written out below. A device that answers
# otherwise (the stand-in has another number of SMs) is none to judge it by: R-LOW-015.
. "$REPO/tests/cli/lower/common"
tiny_task
host everything "$REPO/tests/candidates/host/everything.cu"
steady() { sed -E 's/cubin [0-9a-f]{64}/cubin HEX/; s/kernel_cu_[0-9a-f]{8}/kernel_cu_HEX/g'; }
lower --json "artifact/candidates/$task/everything" >out
python3 - out <<'END' | steady
import json, sys
tree = json.load(open(sys.argv[1]))
for key in ('buffers', 'maps', 'launches'):
    for one in tree[key]:
        print(json.dumps(one, sort_keys=True))
print(json.dumps({one['attribute']: one['value'] for one in tree['lowered']['asked']}))
print(*sorted(tree['lowered']), *sorted(tree['lowered']['toolchain']))
END
replay r --no-evidence >out || echo "exit $?"
grep -o 'infrastructure.*R-LOW-015' out | sed 's/  */ /g' || cat out
