# What README.md says you will see is what `ptxseal evaluate` prints, but for the places marked […]. Rung 1 depends on
# the seal and is left to verify's own cases.
"$PTXSEAL" evaluate "$REPO" >seen
sed -n '/^## What you will see/,/^## /p' "$REPO/README.md" | sed -n 's/^    //p' >said
grep -v -e '\[…\]' -e '^Rung 1' -e '^Verdict' said | sed '/^Verdict/,$d' >lines
sed -i '/^difference and every claim/d' lines
[ -s lines ] || echo 'README.md: no excerpt'
grep -vxF -f seen lines
exit 0
