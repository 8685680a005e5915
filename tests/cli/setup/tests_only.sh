# What only tests need may be impossible to have: it is named, and the tests go on.
. "$REPO/tests/cli/setup/surroundings.inc"
mkdir -p 'a checkout/tests/judges' 'a checkout/build/venv' 'a checkout/tests/agents' 'a checkout/build/venv-agents'
ln -s "$(command -v cmp)" bin/cmp
touch 'a checkout/tests/judges/requirements.txt' 'a checkout/build/venv/installed.txt' 'a checkout/tests/agents/requirements.txt' 'a checkout/build/venv-agents/installed.txt'
fake apt-get <<'END'
case "$*" in
*' update') ;;
*) echo 'E: no'; exit 100 ;;
esac
END
printf '%s installed\n' clang curl locales python3 python3-venv shellcheck mandoc golang-go golang-golang-x-mod-dev swtpm tpm2-openssl tpm2-tools zstd git in-toto openssh-client >>installed
set_up --tests
echo "exit code $?"
