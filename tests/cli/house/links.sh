# Every relative link in the papers leads to a file.
cd "$REPO" || exit 1
for paper in *.md docs/*.md; do
	grep -o '](\([^)#:]*\))' "$paper" | sed 's/^](//; s/)$//' | while IFS= read -r link; do
		[ -e "$(dirname "$paper")/$link" ] || echo "$paper: no such file: $link"
	done
done
