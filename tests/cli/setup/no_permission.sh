# Neither root nor sudo: the command to run, and exit 4.
. "$REPO/tests/cli/setup/surroundings.inc"
echo 1000 >uid
fake apt-get <<'END'
echo "apt-get $*" >>"$WORLD/calls"
END
sed -i '/^make /d' installed
set_up
echo "exit code $?"
cat calls
