. "$REPO/tests/cli/setup/surroundings.inc"
echo 1000 >uid
fake apt-get <<'END'
exit 0
END
fake sudo <<'END'
echo "sudo: a password is required" >&2
exit 1
END
sed -i '/^make /d' installed
set_up
echo "exit code $?"
