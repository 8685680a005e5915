# docs/tasks.md: tasks/ is whole, its facts follow from its definitions, its derived UUIDs from their names.
python3 "$REPO/tests/judges/check_tasks.py" "$REPO"
