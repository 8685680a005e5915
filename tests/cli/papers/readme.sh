# What README.md says you will see is what `ptxseal evaluate` prints, but for the places marked […].
"$PTXSEAL" evaluate "$REPO" >seen
awk '/^## What you will see/ {inside = 1; next} inside && /^[^ ]/ {exit} inside && sub(/^    /, "")' "$REPO/README.md" |
	grep -vF '[…]' >said
[ -s said ] || echo 'README.md: no excerpt'
grep -vxF -f seen said
exit 0
