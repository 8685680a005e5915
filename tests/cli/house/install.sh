# The program, its man page and its licence, and nothing else; the program runs from there.
make -s -C "$REPO" install DESTDIR="$PWD/a root" PREFIX=/opt/ptxseal >/dev/null || exit 1
(cd 'a root' && find . -type f | sort)
'a root/opt/ptxseal/bin/ptxseal' --version >/dev/null
