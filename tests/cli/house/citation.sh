# The files to cite by give the Makefile's version.
version=$(sed -n 's/^VERSION := //p' "$REPO/Makefile")
for file in CITATION.cff .zenodo.json codemeta.json; do
	grep -Eq "^ *\"?version\"?: \"?${version//./\\.}\"?,?\$" "$REPO/$file" || echo "$file does not give the version $version"
done
