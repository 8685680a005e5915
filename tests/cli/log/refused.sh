# Each mistake and each changed file has its exit code and its rule; what was refused has changed nothing.
"$PTXSEAL" keygen --out key.pem --public public.pem >log || exit 1
"$PTXSEAL" keygen --out other.pem --public other.pub >log || exit 1
"$PTXSEAL" log init --origin example.org/log --key key.pem log.d >log || exit 1
for i in 1 2 3; do
	echo "$i" >"$i"
	"$PTXSEAL" log append --key key.pem log.d "$i" >log || exit 1
done
vkey=$(cat log.d/vkey)
"$PTXSEAL" log prove log.d 1 >proof || exit 1
"$PTXSEAL" log init --origin example.org/log --key other.pem other.d >log || exit 1
cp -r log.d before
says() {
	local code=0
	"$PTXSEAL" log "$@" >said 2>&1 || code=$?
	printf '%s %s: %s\n' "$code" "$(grep -o 'R-[A-Z]*-[0-9]*' said | sort -u | tr '\n' ' ')" "${*//$vkey/VKEY}"
}
says
says burn log.d
says init log.d
says init --origin example.org/log --key key.pem --vkey "$vkey" x
says init --origin 'no name' --key key.pem x
says init --origin example.org/log --key key.pem log.d
[ ! -e x ] || echo 'x was made'
says append log.d 1
says append --key other.pem log.d 1
says append --key key.pem log.d
says append --key key.pem --once log.d 1 2
says append --key key.pem nowhere 1
says append --key key.pem log.d nothing
head -c 65536 /dev/zero >large
says append --key key.pem log.d large
says prove log.d 3
says prove log.d -1
says prove log.d x
says prove --vkey "$(cat other.d/vkey)" log.d 1 | sed 's/+[0-9a-f]\{8\}+[^ ]*/+ID+KEY/'
says verify --vkey "$vkey" proof 3
says verify --vkey "$vkey" 1 2
says verify --vkey nothing proof 2
says verify proof 2
says audit log.d more
says prove --since other.d/checkpoint log.d
diff -r before log.d && echo nothing has changed

sed -i 's/^3$/2/' log.d/checkpoint
says audit log.d
cp before/checkpoint log.d
rm log.d/tile/entries/000.p/3
says audit log.d
says append --key key.pem log.d 1
