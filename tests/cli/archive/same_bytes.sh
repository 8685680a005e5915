# docs/formats.md, "The bytes": the archive depends on the bundle alone: not on times, owners, modes, order of creation, place, locale or threads.
. "$REPO/tests/cli/archive/common"
many_names
"$PTXSEAL" pack --output one.tar.zst b >said
mkdir elsewhere
(cd b && find . -type f -print0 | LC_ALL=C sort -rz | xargs -0 tar -c -f -) | tar -x -C elsewhere
find elsewhere -exec touch -h -d '2001-02-03 04:05:06' {} +
chmod -R go-rwx elsewhere
[ "$(id -u)" -ne 0 ] || chown -R 1234:4321 elsewhere
diff -r b elsewhere
for how in '--threads 1' '--threads 2' '--threads 7'; do
	(cd elsewhere && LC_ALL=de_DE.UTF-8 TZ=Asia/Tokyo "$PTXSEAL" pack $how --output ../two.tar.zst >../again)
	cmp one.tar.zst two.tar.zst
done
# At any level of zstd the tar archive inside is the same; the hash that is printed is that of its tag manifest.
"$PTXSEAL" pack --zstd-level 19 --output small.tar.zst b >small
cmp one.tar.zst small.tar.zst >/dev/null && echo "the level of zstd says nothing here"
zstd -dcq small.tar.zst >small.tar
zstd -dcq one.tar.zst | cmp - small.tar
sed -n 's/.*every machine: //p' said >hash
tar -xOf small.tar bundle/tagmanifest-sha256.txt | sha256sum | cut -d ' ' -f 1 | cmp - hash
sed -n 's/.*every machine: //p' small | cmp - hash
# Other programs read it, and find the bundle.
mkdir theirs
zstd -dcq one.tar.zst | tar -x -C theirs
diff -r b theirs/bundle/data | sed 's/theirs.//' || true
zstd -dcq one.tar.zst | tar -tv | awk '{print $1, $2, $4, $5}' | sort -u
"$PTXSEAL" unpack one.tar.zst ours >said
diff -r ours theirs/bundle
"$PTXSEAL" verify one.tar.zst >stream && "$PTXSEAL" verify ours/data | cmp - stream
sed -n 's/^[0-9a-f]*  \(data.artifact.candidates.names.[^n]\)/\1/p' ours/manifest-sha256.txt
