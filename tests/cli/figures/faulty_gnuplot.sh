# R-FIG-004, R-FIG-005: what calls itself gnuplot and is none is named, and no report is written with what it draws.
mkdir bin
stand_in() {
	printf '#!/bin/sh\n%s\n' "$1" >bin/gnuplot
	chmod +x bin/gnuplot
	PATH=$PWD/bin:$PATH "$PTXSEAL" report --output out "$REPO" 2>&1 >/dev/null | sed "s|$PWD/||g"
	echo "exit ${PIPESTATUS[0]}"
}
stand_in 'echo "gnuplot 3.7: what is a datablock?" >&2; exit 1'
stand_in 'kill -ABRT $$'
stand_in 'echo hello'
stand_in 'for n in 0 1 2 3 4 5 6; do echo "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>" >$n; done'
[ ! -e out/report.html ] || echo 'a report was written'
