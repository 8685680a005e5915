# R-FAT-002: an ELF file without a fat binary.
cp "$(command -v true)" program
"$PTXSEAL" inspect program
