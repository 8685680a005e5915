# Not Debian: no apt to ask, so tools and libraries are looked for themselves.
. "$REPO/tests/cli/setup/surroundings.inc"
rm bin/dpkg-query
set_up
echo "exit code $?"
for tool in cc make pkg-config; do
	fake $tool </dev/null
done
set_up
echo "exit code $?"
