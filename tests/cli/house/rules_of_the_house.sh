# CONTRIBUTING.md: what of it a machine can see. Prints each line or file that breaks a rule.
cd "$REPO" || exit 1

# Sources stay readable: under 800 lines.
find runner tests -name '*.[ch]' | sort | while IFS= read -r file; do
	lines=$(wc -l <"$file")
	[ "$lines" -lt 800 ] || echo "$file: $lines lines"
done

# Derived bytes depend on the bundle alone.
grep -rnE '\b(setlocale|localtime|gettimeofday|rand|srand)\(' runner

# Records are read, and pages made, on all cores: nothing that keeps what it says in a variable of the whole process.
grep -rnE '\b(lgammaf?|gamma|strtok|strerror|strsignal|gmtime|ctime|asctime|[ejlmn]rand48|[dls]rand48)\(' runner

# Records hold no absolute paths: they would be somebody's machine.
# (/run/systemd/container is the mark of a container, the same on every machine.)
grep -rnoE '"(/[A-Za-z0-9_.-]+){2,}' artifact tasks --include='*.json' --include='*.jsonl' | grep -v ':"/run/systemd/container$' | cut -c 1-120

# No case expects that its own script breaks.
grep -rnE 'Traceback \(most recent call last\)|^[^:]*\.sh: line [0-9]+: ' tests/cli --include='*.exact' --include='*.glob' | cut -c 1-120

# Private keys never enter the repository.
grep -rlE -e '-----BEGIN [A-Z ]*PRIVATE KEY-----' artifact manifests tasks tests scripts docs 2>/dev/null | grep -v house/rules
exit 0
