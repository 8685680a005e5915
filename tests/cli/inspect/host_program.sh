# R-FAT-002: an ELF file without a fat binary.
cp "$(type -P true)" program
"$PTXSEAL" inspect program
