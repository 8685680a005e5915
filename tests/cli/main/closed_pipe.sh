# Nor is one cut off by a reader that went away: an error, not death by SIGPIPE.
mkfifo pipe
exec 3<>pipe 4>pipe 3<&- # a pipe that has a writer and no longer a reader
"$PTXSEAL" help >&4
