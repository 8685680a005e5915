# Only the missing package is installed; one that dpkg knows but that is removed is missing too.
. "$REPO/tests/cli/setup/surroundings.inc"
fake apt-get <<'END'
echo "apt-get $*" >>"$WORLD/calls"
END
sed -i 's/^libcjson-dev installed/libcjson-dev config-files/; /^make /d; /^openssl /d' installed
set_up
echo "exit code $?"
cat calls
