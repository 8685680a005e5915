# R-IMP-012: a figure cell with more decimals than the figure.
. "$REPO/tests/cli/import/source.inc"
cat >figures.json <<'END'
{"source": "s", "figure1_best_speedup": {"models": ["M1"], "null_means": "n", "hopper": {"any": {"t": [0.1234]}, "target": {"t": [null]}}},
 "figure2_sft_s1_hopper": {"columns": ["percent_of_turns_correct", "best_speedup"], "t": [19.8, 0.57]}}
END
import --figures figures.json
