# The end of a long log has all that failed: name and the first lines of each difference, last all names in a line.
{
	echo 'PASS group/first'
	echo 'FAIL group/second'
	seq -f '	%g' 20
	echo 'FAIL group/third'
	printf '\t%0500d\n' 0
	echo 'SKIP group/fourth: no such thing here'
	printf '\tno part of it\n'
	echo 'FAIL tests/unit/run: ended without its closing line, exit code 1'
	echo 'PASS group/fifth'
} >report
"$REPO/tests/recap" report
echo "exit code $?"
echo '== nothing failed'
grep PASS report >passed
"$REPO/tests/recap" passed
echo "exit code $?"
echo '== no report'
"$REPO/tests/recap" 2>&1
echo "exit code $?"
"$REPO/tests/recap" missing >/dev/null 2>&1
echo "exit code $?"
