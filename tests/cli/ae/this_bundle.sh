# The bundle that is committed here holds, and is sealed by the key whose fingerprint README.md publishes.
fingerprint=$(sed -n 's/^    fingerprint of the root key: //p' "$REPO/README.md")
"$PTXSEAL" evaluate --fingerprint "${fingerprint:-none}" "$REPO" | sed -nE 's|^(Verdict: [A-Z ]*[A-Z]).*|\1|p'
"$PTXSEAL" evaluate --fingerprint "${fingerprint%?????}00000" "$REPO" | sed -nE 's|^(Verdict: [A-Z ]*[A-Z]).*|\1|p'
