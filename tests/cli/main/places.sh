# Exit 2: a place that a command is to write to and that is taken, or not for that, is a wrong command line, for all commands alike: R-IO-008, R-BND-012, R-TRC-004, R-PCK-009, R-KEY-003, R-LOG-018. Exit 4: one that
# cannot be made here. What is refused has written nothing. A file is replaced, and a directory of tables written anew, where that is what the command does.
mkdir b
cp -r "$REPO/artifact" "$REPO/tasks" "$REPO/manifests" "$REPO/checksums" b/
"$PTXSEAL" keygen --out ed.key --public ed.pub >out
"$PTXSEAL" keygen --type p256 --out p.key --public p.pub >out
"$PTXSEAL" pack --output b.tar.zst b >out || cat out
cat >facts.json <<'END'
{"source": "lab", "submitter": "A lab", "contact": "lab@example.org", "model": "m", "statement": "", "sampling": {"temperature": "0", "top_p": "1", "max_tokens": "9", "seed": "0", "other": "none"},
 "environment": {"endpoint": "none", "harness": "none", "tools": "none", "other": "none"}, "conflicts": []}
END
lay_out() {
	rm -rf full file dangling nowhere q.pub
	mkdir full
	echo x >full/x
	echo x >file
	ln -s nowhere dangling
}
list() { find . ! -name out ! -name said ! -name before \( -type f -printf '%p %s\n' -o -printf '%p %y %l\n' \) | sort; }
commands() {
	cat <<'END'
derive --out PLACE b
export flashinfer-trace PLACE b
export in-toto --key ed.key --output PLACE b
unpack b.tar.zst PLACE
submit --facts facts.json --key ed.key --into PLACE b
log init --origin example.org/log --key ed.key PLACE
pack --output PLACE b
export oms --key p.key --output PLACE b
keygen --public q.pub --out PLACE
compare --page PLACE b b
END
}
lay_out
list >before
for place in full file file/below dangling b/artifact/new /proc/none/new; do
	echo "-- $place"
	while read -r line; do
		code=0
		# shellcheck disable=SC2086
		"$PTXSEAL" ${line//PLACE/$place} >out 2>said || code=$?
		printf '%s %s: %s\n' "$code" "$(grep -o 'R-[A-Z]*-[0-9]*' said | head -n 1)" "$line"
		[ $code = 0 ] || list | diff before -
		lay_out
	done < <(commands)
done
