# The committed PTX of our own candidates is what their sources give, with the nvcc that they name.
command -v nvcc >/dev/null || { echo 'there is no nvcc here'; exit 77; }
nvcc --version | grep -q 'V13\.0\.88' || { echo 'this nvcc is not 13.0 (V13.0.88), which made them'; exit 77; }
"$REPO/scripts/candidates" --check
