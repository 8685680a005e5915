# docs/tasks.md: the references compute what a separate float64 computation and autograd do (needs PyTorch, else skips).
"${JUDGES:-python3}" "$REPO/tests/judges/check_references.py" "$REPO" | tail -n 1
exit "${PIPESTATUS[0]}"
