# What README.md says you will see is what scripts/ae ends with, but for the places marked […].
"$PTXSEAL" evaluate --report build/report "$REPO" >seen
awk '/^## What you will see/ {inside = 1; next} inside && /^[^ ]/ {exit} inside && sub(/^    /, "")' "$REPO/README.md" |
	grep -vF '[…]' >said
[ -s said ] || echo 'README.md: no excerpt'
grep -vxF -f seen said
exit 0
