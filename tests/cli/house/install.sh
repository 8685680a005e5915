# The program, its man page and its licence, and nothing else; the program runs from there. It is the one that was built: in a case's clean environment make may find another CUDA toolkit
# than the build did, and would build anew what other cases are running.
mkdir build
cp "$REPO/build/ptxseal" build/
make -s -C "$REPO" BUILD="$PWD/build" -o "$PWD/build/ptxseal" install DESTDIR="$PWD/a root" PREFIX=/opt/ptxseal >/dev/null || exit 1
(cd 'a root' && find . -type f | sort)
'a root/opt/ptxseal/bin/ptxseal' --version >/dev/null
