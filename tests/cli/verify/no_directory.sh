# A directory that is not there is no finding, but input that cannot be read.
. "$REPO/tests/cli/verify/common"
"$PTXSEAL" verify nowhere
