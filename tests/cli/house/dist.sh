# Two clones, made at different times under different umasks, give the same tarball, which holds every committed
# file; a checkout with changes gives none.
git clone -q "$REPO" one 2>/dev/null || { echo 'this is not a git checkout that git reads'; exit 77; }
umask 077
git -c advice.detachedHead=false clone -q one two # the checkout may be of a tag
make -s -C one dist >/dev/null && sleep 1 && make -s -C two dist >/dev/null || exit 1
cmp one/dist/*.tar.gz two/dist/*.tar.gz || exit 1
mkdir unpacked && tar -C unpacked --strip-components=1 -xf one/dist/*.tar.gz
diff -r --exclude=.git --exclude=dist one unpacked || exit 1
echo >>one/Makefile
make -s -C one dist
