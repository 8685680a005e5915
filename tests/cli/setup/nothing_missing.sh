# With everything installed, set-up neither asks apt nor writes.
. "$REPO/tests/cli/setup/surroundings.inc"
fake apt-get <<'END'
echo "apt-get $*" >>"$WORLD/calls"
END
set_up
echo "exit code $?"
cat calls
ls 'a checkout'
