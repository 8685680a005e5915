# What each verb says, in text and JSON.
"$PTXSEAL" keygen --out key.pem --public public.pem >log || exit 1
"$PTXSEAL" log init --origin example.org/log --key key.pem --json log.d | sed 's/+[0-9a-f]\{8\}+[^"]*/+ID+KEY/'
printf 'one' >1
printf 'two' >2
printf '' >3
"$PTXSEAL" log append --key key.pem log.d 1
cp log.d/checkpoint old
"$PTXSEAL" log append --key key.pem --json log.d 2 3
"$PTXSEAL" log append --key key.pem --once log.d 2
"$PTXSEAL" log append --key key.pem --once --json log.d 2
vkey=$(cat log.d/vkey)
"$PTXSEAL" log prove log.d 1 >proof
head -n 4 proof
"$PTXSEAL" log prove --json log.d 1 | sed 's/"proof":"[^"]*"/"proof":"..."/'
"$PTXSEAL" log verify --vkey "$vkey" proof 2
"$PTXSEAL" log verify --vkey "$vkey" --json proof 2
"$PTXSEAL" log prove --since old log.d >growth
head -n 3 growth
"$PTXSEAL" log verify --vkey "$vkey" --since old growth
"$PTXSEAL" log verify --vkey "$vkey" --since old --json growth
"$PTXSEAL" log audit log.d
"$PTXSEAL" log audit --vkey "$vkey" --since old log.d
"$PTXSEAL" log audit --json log.d
