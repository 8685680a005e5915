# The chain: a file whose bytes are no longer those that were listed is not passed off as signed.
mkdir bundle
cp -r "$REPO/artifact" "$REPO/tasks" "$REPO/manifests" "$REPO/checksums" bundle
"$PTXSEAL" explain figure1 'hopper/mha_bwd_d128/GLM-5.2' any bundle | grep -c CHANGED
turns=bundle/artifact/runs/glm52-mha-bwd-d128/turns.jsonl
sed -i '3s/"reasoning_tokens":/"reasoning_tokens":1/' $turns
"$PTXSEAL" explain figure1 'hopper/mha_bwd_d128/GLM-5.2' any bundle | grep CHANGED | sed 's/[0-9a-f]\{64\}/HEX/'
