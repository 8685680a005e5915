# On a terminal the width is the terminal's, COLUMNS before it; one that makes no sense is none.
. "$REPO/tests/cli/derive/bundle.inc"
cat >terminal.py <<'PYTHON'
import fcntl
import os
import pty
import struct
import sys
import termios


def shown(columns, told):
    pid, fd = pty.fork()
    if pid == 0:
        os.read(0, 1)
        environment = dict(os.environ, **({"COLUMNS": told} if told is not None else {}))
        os.execve(sys.argv[1], [sys.argv[1], "table", "correct", "bundle"], environment)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.write(fd, b"\n")
    text = b""
    try:
        while chunk := os.read(fd, 4096):
            text += chunk
    except OSError:
        pass
    os.waitpid(pid, 0)
    return max(len(line) for line in text.decode().split("\r\n"))


print(shown(120, None), shown(44, None), shown(120, "44"), shown(44, "none"), shown(3, None))
PYTHON
env -u COLUMNS python3 terminal.py "$PTXSEAL"
