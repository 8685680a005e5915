# The committed tables: the same bytes from another directory, in another locale, from a copy whose files were made in
# another order, and when done again.
"$PTXSEAL" derive --out one "$REPO" >/dev/null
copy() { # sorted backwards, so that the directory holds the files in another order
	mkdir copy
	(cd "$REPO" && find artifact tasks -type f | sort -r) | while read -r file; do
		mkdir -p "copy/$(dirname -- "$file")"
		cp -- "$REPO/$file" "copy/$file"
	done
}
copy
(cd copy && "$PTXSEAL" derive --out ../two >/dev/null)
diff -r one two
mkdir elsewhere
(cd elsewhere && LC_ALL=${PTXSEAL_COMMA_LOCALE:-de_DE.UTF-8} LANG=de_DE.UTF-8 TZ=Asia/Kathmandu "$PTXSEAL" derive --out ../three "$REPO" >/dev/null)
diff -r one three
"$PTXSEAL" derive --out one "$REPO" >/dev/null
diff -r one two
