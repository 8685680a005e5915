# What to do where nothing comes of a request depends on why: a key that is not accepted, nothing at the URL (which is named, without its query part and with no key in it), a request that the endpoint does not take, a cap (which is named),
# or something that passes.
. "$REPO/tests/cli/query/common"
export PLANTED=sk-planted-0123456789abcdef
told() { { "$@" 2>&1 >/dev/null || echo "exit $?"; } | sed "s/^ptxseal: 40 of 40 turns are missing; trajectory 0 stopped at turn 0: //; s/:$port/:PORT/"; }
for scripted in key_in_error forbidden error_401 not_found redirect bad_request; do
	echo "-- $scripted"
	told query $scripted "r-$scripted" --key-env PLANTED
done
echo '-- an authority that is none'
told query plain r-trust --endpoint "https://127.0.0.1:$port/plain/v1" --ca nowhere.pem | sed 's/libcurl says: .* (R/libcurl says: WHY (R/'
echo '-- what passes'
told query always_500 r-500 --tries 1
told query rate_forever r-429 --tries 1
echo '-- no key, in no part of the URL'
told query not_found r-path --endpoint "http://127.0.0.1:$port/not_found/v1?key=$PLANTED" --key-env PLANTED
told query not_found r-key --endpoint "http://127.0.0.1:$port/not_found/$PLANTED/v1" --key-env PLANTED
echo '-- caps'
printf '{"currency":"EUR","date":"2026-01-01","models":[{"completion_per_million":"1","model":"m","prompt_per_million":"1"}],"schema":"ptxseal-prices/1","source":"none"}\n' >prices.json
told query talk r-requests --max-requests 1 --trajectories 5 | sed 's/^.* turn [0-9]*: //; s/: [0-9]* requests.* tokens (/ (/'
told query talk r-tokens --max-total-tokens 900 | sed 's/may cost [0-9]* /may cost N /'
told query talk r-money --max-money 0.0009 --prices prices.json | sed 's/may cost [0-9]* /may cost N /'
told "$PTXSEAL" query --endpoint "http://127.0.0.1:$port/talk/v1" --model m --task "$task" --form ptx --run r --max-total-tokens 9999 b
