# What `ptxseal log` writes is a log to Go's sumdb/note and tlog (checkpoint, tiles, entries, proofs); changed in one byte it is not.
packages=/usr/share/gocode/src/golang.org/x/mod/sumdb
if ! command -v go >/dev/null || [ ! -d "$packages" ]; then
	echo 'golang-go or golang-golang-x-mod-dev is not installed'
	exit 77
fi
export GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$PWD/cache GOTOOLCHAIN=local GOFLAGS=
go build -o judge "$REPO/tests/judges/check_log.go" || exit 1

# Another byte at an offset of a file; again, and it is as before.
flip() {
	local byte
	byte=$(od -An -tu1 -j "$2" -N 1 "$1")
	printf '%b' "\\x$(printf %x $((byte ^ 1)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}
# refused FILE OFFSET ARGUMENT...: the judge takes it as it is, and not with that byte changed.
refused() {
	local file=$1 offset=$2
	shift 2
	./judge "$@" >said || { echo "not taken: $*: $(cat said)" && exit 1; }
	flip "$file" "$offset"
	./judge "$@" >said && echo "taken with byte $offset of $file changed: $*"
	flip "$file" "$offset"
}

# The example of the specification.
printf 'This is an example message.\n\n\342\200\224 example.com/foo %s\n' \
	Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM= >note
./judge open note example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k

mkdir entries
seq -f 'entry %.0f' 0 69999 | split -l 1 -a 5 -d - entries/
"$PTXSEAL" keygen --out key.pem --public public.pem >log || exit 1
"$PTXSEAL" log init --origin example.org/log --key key.pem log.d >log || exit 1
vkey=$(cat log.d/vkey)
./judge tiles log.d "$vkey"
"$PTXSEAL" log append --key key.pem log.d entries/[0-5]* || exit 1
cp log.d/checkpoint old
"$PTXSEAL" log append --key key.pem log.d entries/6* || exit 1
./judge tiles log.d "$vkey"
find log.d/tile -path "*.p/*" | LC_ALL=C sort
refused log.d/checkpoint 3 tiles log.d "$vkey"
refused log.d/checkpoint 30 tiles log.d "$vkey"
refused log.d/checkpoint 110 tiles log.d "$vkey"
for tile in 0/000 0/136 0/273.p/112 1/000 1/001.p/17 2/000.p/1 entries/000 entries/272 entries/273.p/112; do
	refused log.d/tile/$tile 20 tiles log.d "$vkey"
done

for index in 0 255 256 59999 60000 65535 65536 69999; do
	"$PTXSEAL" log prove log.d $index >proof || exit 1
	entry=entries/$(printf %05d $index)
	./judge proof proof "$entry" "$vkey"
	for offset in 10 30 60 200 $(($(wc -c <proof) - 20)); do
		refused proof "$offset" proof proof "$entry" "$vkey"
	done
	refused "$entry" 3 proof proof "$entry" "$vkey"
done
"$PTXSEAL" log prove --since old log.d >growth || exit 1
./judge growth growth old "$vkey"
for offset in 1 5 20 100 300 $(($(wc -c <growth) - 20)); do
	refused growth "$offset" growth growth old "$vkey"
done
refused old 40 growth growth old "$vkey"
