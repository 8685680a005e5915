# R-KEY-006: an encrypted key, opened with a passphrase from a file, from the environment, and from a terminal that does not show it.
. "$REPO/tests/cli/sign/common"
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
content
printf 'open sesame\nfor people\n' >pass
"$PTXSEAL" keygen --encrypt --passphrase-file pass --out root.key --public root.pub | hide | head -n 1
head -n 1 root.key | tr ' ' _ # written so that no file of the project looks like a private key
openssl pkey -in root.key -passin 'pass:open sesame' -pubout | cmp - root.pub
openssl asn1parse -in root.key | grep -o 'PBES2\|hmacWithSHA256\|aes-256-cbc\|:0927C0' # 600,000 rounds
keys_of() { "$PTXSEAL" seal --role import --name root "$@" b | hide; }
keys_of --key root.key --passphrase-file pass
PTXSEAL_PASSPHRASE='open sesame' keys_of --key root.key
PTXSEAL_PASSPHRASE='open sesame' failing keys_of --key root.key --passphrase-file root.pub
: >empty
failing keys_of --key root.key --passphrase-file empty
failing keys_of --key root.key --passphrase-file none
head -c 2000 /dev/zero | tr '\0' a >long
failing keys_of --key root.key --passphrase-file long
! grep -rq 'open sesame' b || echo 'the passphrase is in the bundle'
cat >terminal.py <<'END'
# usage: terminal.py TEXT COMMAND...: run it at a terminal of its own, type TEXT when it asks, show what the terminal shows.
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
shown, left = b"", sys.argv[1].encode().decode("unicode_escape").split("|")
while True:
    try:
        part = os.read(fd, 4096)
    except OSError:
        break
    if not part:
        break
    shown += part
    if part.endswith(b": ") and left:
        os.write(fd, left.pop(0).encode())
sys.stdout.write(shown.decode().replace("\r\n", "\n"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
at_terminal() { python3 terminal.py "$@"; }
at_terminal 'open sesame\n' "$PTXSEAL" seal --role import --name root --key root.key b | hide
failing at_terminal 'wrong\n' "$PTXSEAL" seal --role import --name root --key root.key b
failing at_terminal '\x03' "$PTXSEAL" seal --role import --name root --key root.key b
at_terminal 'new one\n|new one\n' "$PTXSEAL" keygen --encrypt --type p256 --out p.key --public p.pub | hide
openssl pkey -in p.key -passin 'pass:new one' -pubout | cmp - p.pub
failing at_terminal 'one\n|another\n' "$PTXSEAL" keygen --encrypt --out q.key --public q.pub
ls q.key q.pub 2>/dev/null || true
