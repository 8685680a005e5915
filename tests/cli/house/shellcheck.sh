command -v shellcheck >/dev/null || { echo 'shellcheck is not installed'; exit 77; }
cd "$REPO" && shellcheck -x scripts/* tests/cli/run tests/unit/run tests/recap tests/bench/run .ci/run
