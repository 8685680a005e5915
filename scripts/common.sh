# shellcheck shell=bash
# What the scripts share: they work from any directory, in any locale, and answer with the exit codes of docs/design.md.
unset CDPATH MAKEFLAGS MFLAGS MAKELEVEL BASH_ENV ENV
export LC_ALL=C
script=$(readlink -f -- "$0")
cd -- "$(dirname -- "$script")/.." || exit 4

say() {
	printf '%s: %s\n' "${script##*/}" "$*" >&2
}

die() {
	local code=$1
	shift
	say "$*"
	exit "$code"
}

# Print the comment at the head of the calling script, which is its help text.
print_help() {
	sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$script"
}
