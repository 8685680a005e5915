# R-IMP-013: expected cells of figures, imported before, that this import does not bring.
. "$REPO/tests/cli/import/source.inc"
cat >figures.json <<'END'
{"source": "s", "figure1_best_speedup": {"models": ["M1"], "null_means": "n", "hopper": {"any": {"t": [0.25]}, "target": {"t": [null]}}},
 "figure2_sft_s1_hopper": {"columns": ["percent_of_turns_correct", "best_speedup"], "t": [19.8, 0.57]}}
END
import --figures figures.json >/dev/null || exit 1
cat bundle/artifact/expected/ptxbench/figure?.jsonl
"$PTXSEAL" import ptxbench source --into bundle
