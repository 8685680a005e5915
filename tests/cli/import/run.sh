# R-IMP-009: a row that contradicts experiments.csv.
. "$REPO/tests/cli/import/source.inc"
sed -i '4s/^M1/M2/' source/arch_instruction_correctness_by_release_date.csv
import
