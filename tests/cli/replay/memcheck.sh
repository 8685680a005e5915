# R-RPL-012, R-MEM-001, R-MEM-002: what memcheck reports becomes the record's memcheck and, where it counts errors, the outcome. The tool is a stand-in that starts what it is given and writes
# a report: no GPU's, in our words.
. "$REPO/tests/cli/replay/common"
[ -z "$(compgen -G '/usr/local/cuda*/bin/compute-sanitizer')" ] || { echo "there is a compute-sanitizer here, so that none missing could be tried"; exit 77; }
tiny_task
candidate right gemm_right
candidate illegal illegal
mkdir bin tool
cat >bin/compute-sanitizer <<'END'
#!/bin/bash
here=$(dirname -- "$(readlink -f -- "$0")")/../tool
[ "$1" != --version ] || { printf 'a stand-in\nVersion 9.8.7 (build 1)\n'; exit 0; }
printf '%s\n' "$@" >"$here/arguments"
log=
while [ $# -gt 2 ]; do
	[ "$1" != --log-file ] || log=$2
	shift
done
[ ! -e "$here/refuse" ] || { cat "$here/report" >"$log"; exit 1; }
[ ! -e "$here/hang" ] || exec sleep 1000
"$@"
code=$?
cat "$here/report" >"$log"
exit $code
END
chmod +x bin/compute-sanitizer
export PATH=$PWD/bin:$PATH
number=0
try() { # CANDIDATE OPTION...; the report is standard input
	local code=0 which=$1

	shift
	cat >tool/report
	number=$((number + 1))
	"$PTXSEAL" replay --workload small --trials 8 --seconds 0 --no-evidence --candidate "$which" --into b --run "r$number" --json "$@" b >out 2>err || code=$?
	sed -E 's/ \((R-[A-Z]+-[0-9]+):.*/ (\1)/; s|/[^ ]*/bin/compute|bin/compute|' err
	sed -E 's/.*("memcheck":\{"errors.*\}),"options".*("outcome":\{.*\}),"problem".*/\1\n\2/; s/[0-9a-f]{64}/HEX/; s/"took_ms":[0-9]+/"took_ms":N/; s/,"(library_passed|published|published_passed|published_trials|strict)":[^,}]*//g' out
	echo "exit $code"
}
echo "-- clean"
try right <<'END'
========= COMPUTE-SANITIZER
========= ERROR SUMMARY: 0 errors
END
sed -e 's/.*ptxseal-[A-Za-z0-9]*/TEMPORARY/' -e 's/.*ptxseal$/PROGRAM/' tool/arguments | tr '\n' ' '
echo
ls -d "${TMPDIR:-/tmp}"/ptxseal-?????? 2>/dev/null || echo "nothing is left"
echo "-- errors"
try right <<'END'
========= COMPUTE-SANITIZER
========= Invalid __global__ read of size 2 bytes
=========     at gemm_right+0x1f0
=========     by thread (3,0,0) in block (1,0,0)
=========     Address 0x7f0000000040 is out of bounds
========= Invalid __global__ write of size 4 bytes
=========     at 0x30 in other
========= ERROR SUMMARY: 2 errors
END
echo "-- the summary is missing"
try right <<'END'
========= COMPUTE-SANITIZER
END
echo "-- the report is missing"
try right </dev/null
echo "-- a summary that counts nothing"
try right <<'END'
========= ERROR SUMMARY: many errors
END
echo "-- it does not know the device"
touch tool/refuse
try right <<'END'
========= COMPUTE-SANITIZER
========= Error: no such device is supported
END
try right --memcheck require <<'END'
========= Error: no such device is supported
END
rm tool/refuse
echo "-- fails without it"
try illegal </dev/null
echo "-- not asked for"
try right --memcheck off </dev/null
echo "-- not there"
rm bin/compute-sanitizer
try right </dev/null
try right --memcheck require </dev/null
printf '#!/bin/sh\necho nothing\n' >bin/compute-sanitizer
chmod +x bin/compute-sanitizer
echo "-- one without a version"
try right --memcheck require </dev/null
