# Every record of the bundle is canonical to a writer that is not ours.
"${JUDGES:-python3}" "$REPO/tests/judges/check_records.py" "$REPO"
