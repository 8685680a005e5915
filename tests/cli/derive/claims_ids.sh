# claims ID ...: those alone, in the bundle's order; R-ASK-004: one that is not there is answered by those there are.
. "$REPO/tests/cli/derive/bundle.inc"
sed 's/: C1$/: C2/; s/Half is correct/Another/; s/expect: HOLDS/expect: FAILS/' bundle/artifact/claims/C1.sql >bundle/artifact/claims/C2.sql
for line in 'C1 bundle' 'C2 C1 bundle' '--json C1 bundle' 'C3 bundle' 'C1 bundle C2'; do
	"$PTXSEAL" claims $line
	echo "exit code $?"
done 2>&1 | sed '/^usage:/,/^See/d'
