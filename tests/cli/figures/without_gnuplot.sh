# R-FIG-001: without gnuplot a report has no pictures and says so where each would be; the numbers that would be drawn are there.
mkdir empty
PATH=$PWD/empty "$PTXSEAL" report --output out "$REPO" || exit
echo out/figures/*
grep -c 'No picture here: no gnuplot on $PATH' out/report.html
grep -c '<svg' out/report.html
grep -o 'Table and SQL: <a href="#t-fast_p">fast_p</a>. Numbers drawn: <a href="figures/fast_p.csv">CSV</a>.</p>' out/report.html
