# A report's figures are the same bytes whatever the reader's locale, zone, fonts and gnuplot settings are, and have no date, version or path.
command -v gnuplot >/dev/null || { echo 'no gnuplot'; exit 77; }
"$PTXSEAL" report --output one "$REPO" || exit
mkdir home
cp -R "$REPO/artifact/tables" home/
printf '%s\n' 'set terminal dumb' 'set logscale y' 'set key bottom' 'set decimalsign ","' 'set print "touched"' 'print "read"' | tee home/.gnuplot >home/.gnuplotrc
[ ! -e "$REPO/build/locale/de_DE.UTF-8" ] || export LOCPATH="$REPO/build/locale"
(cd home && LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 LANGUAGE=de TZ=America/New_York HOME=$PWD GNUTERM=dumb GNUPLOT_LIB=$PWD GNUPLOT_DEFAULT_GDFONT=x GDFONTPATH=$PWD \
	FONTCONFIG_PATH=$PWD FONTCONFIG_FILE=none XDG_CONFIG_HOME=$PWD SOURCE_DATE_EPOCH=99 "$PTXSEAL" report --output ../other "$REPO") || exit
diff -r one/figures other/figures && find . -name touched
echo "$(cd one/figures && echo *)"
grep -lE "[nN]uplot|20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]T|$REPO| id=|href|<script|style=" one/figures/*.svg
grep -c . one/figures/*.pdf | awk -F: '$2 < 10'
for pdf in one/figures/*.pdf; do
	grep -qa "D:20000101000000" "$pdf" || echo "$pdf has no steady date"
done
