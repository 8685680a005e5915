# apt-get update says 0 even when it reached nothing, so it is the install that decides.
. "$REPO/tests/cli/setup/surroundings.inc"
fake apt-get <<'END'
case "$*" in
*' update') echo 'W: Failed to fetch the index' ;;
*) echo 'E: Unable to locate package make'; exit 100 ;;
esac
END
sed -i '/^make /d' installed
set_up
echo "exit code $?"
