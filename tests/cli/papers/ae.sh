# The numbers and verdicts in AE.md are those that the program gives, each claim once and no other.
diff <("$PTXSEAL" claims "$REPO" | sed -nE 's/^(C[0-9]+) +(HOLDS|FAILS|NOT DERIVABLE): (.*)/| \1 | \3 | \2 |/p') \
	<(grep '^| C[0-9]' "$REPO/AE.md")
sentence=$("$PTXSEAL" derive --check "$REPO" |
	awk '$1 == "all" {print "of " $2 " published cells " $3 " are SAME, " $4 " DIFFERS, " $5 " NOT DERIVABLE;"}')
grep -qxF -- "$sentence" "$REPO/AE.md" || echo "AE.md lacks: $sentence"
