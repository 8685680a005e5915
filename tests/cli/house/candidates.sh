# The committed PTX of our own candidates is what their sources give, with the nvcc that they name.
command -v nvcc >/dev/null || { echo 'there is no nvcc here'; exit 77; }
nvcc --version | grep -q 'V13\.0\.88' || { echo 'this nvcc is not 13.0 (V13.0.88), which made them'; exit 77; }
"$REPO/scripts/candidates" --check >said || { cat said; exit 1; }
! grep -q 'not lowered again' said || { echo 'two candidates are lowered from host code, for which g++ or apache-tvm-ffi is not here'; exit 77; }
cat said
