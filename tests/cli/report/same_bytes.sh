# A report is a function of the bundle: written twice, in another place and another locale, it is the same to the byte. A file that is the same is not written again.
. "$REPO/tests/cli/derive/sealed.inc"
"$PTXSEAL" report --output one bundle
stat -c '%Y %i %n' one/report.html one/REPORT >before
mkdir -p else/where && cp -r bundle else/where/copy
(cd else/where && LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 LOCPATH="$REPO/build/locale" TZ=Asia/Tokyo "$PTXSEAL" report --output ../../two ./copy/) >/dev/null || exit 1
diff -r one two
"$PTXSEAL" report --output one bundle >/dev/null
stat -c '%Y %i %n' one/report.html one/REPORT | diff before -
