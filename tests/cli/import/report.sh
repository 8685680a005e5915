# What an import reports, and that a second one over it changes nothing.
. "$REPO/tests/cli/import/source.inc"
import || exit 1
cp -r bundle before
import >/dev/null && diff -r before bundle
