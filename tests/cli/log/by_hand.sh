# The commands of docs/formats.md, "The submission log", as they stand there, take what the program writes and refuse what is changed.
sed -n '/^## The submission log/,/^## What a seal/p' "$REPO/docs/formats.md" | sed -n '/^```sh$/,/^```$/p' | sed '/^```/d' >commands
[ -s commands ] || exit 1
# shellcheck source=/dev/null
. ./commands
"$PTXSEAL" keygen --out key.pem --public public.pem >log || exit 1
"$PTXSEAL" log init --origin example.org/log --key key.pem log.d >log || exit 1
for i in 0 1 2 3 4 5 6; do
	echo "entry $i" >entry.$i
	"$PTXSEAL" log append --key key.pem log.d entry.$i >log || exit 1
done
vkey=$(cat log.d/vkey)
says() {
	"$@" >log 2>&1 && echo holds || echo 'does not hold'
}
says check_checkpoint log.d/checkpoint "$vkey"
for i in 0 1 2 3 4 5 6; do
	"$PTXSEAL" log prove log.d $i >proof.$i || exit 1
	says check_proof proof.$i entry.$i "$vkey"
done
echo changed:
says check_proof proof.1 entry.2 "$vkey"
sed 's/index 1/index 2/' proof.1 >other
says check_proof other entry.1 "$vkey"
sed 's/^7$/8/' log.d/checkpoint >other
says check_checkpoint other "$vkey"
"$PTXSEAL" keygen --out other.pem --public public2.pem >log || exit 1
"$PTXSEAL" log init --origin example.org/log --key other.pem other.d >log || exit 1
says check_checkpoint log.d/checkpoint "$(cat other.d/vkey)"
