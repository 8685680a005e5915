# --vkey takes the text of a verifier key. Whoever names its file is told so, with the command (R-LOG-002).
"$PTXSEAL" keygen --out key.pem --public public.pem >log || exit 1
"$PTXSEAL" log init --origin example.org/log --key key.pem log.d >log || exit 1
echo one >one
"$PTXSEAL" log append --key key.pem log.d one >log || exit 1
"$PTXSEAL" log prove log.d 0 >proof || exit 1
"$PTXSEAL" log verify --vkey "$(cat log.d/vkey)" proof one >log || exit 1
"$PTXSEAL" log verify --vkey log.d/vkey proof one
