# R-SIG-005, R-SIG-007, R-SIG-008, R-SIG-009: who may not sign, and what is not in order, is refused before the first write.
. "$REPO/tests/cli/sign/common"
two_root_keys
quiet seal --role root --key root.key b
cp -R b before
"$PTXSEAL" keygen --out stranger.key --public stranger.pub >keygen.out
failing "$PTXSEAL" sign --key stranger.key b | hide
failing "$PTXSEAL" sign --key import.key b | hide
failing "$PTXSEAL" sign --key two.key --manifest demo b | hide
failing "$PTXSEAL" sign --key two.key --manifest other b | hide
failing "$PTXSEAL" sign --key two.key --manifest ../x b | hide
echo >>b/tasks/gemm/task.json
failing "$PTXSEAL" sign --key two.key b | hide
sed -i '$d' b/tasks/gemm/task.json
diff -r before b

echo "-- revoked"
"$PTXSEAL" trust --revoke two --reason 'lost on a train' b
quiet seal --role root --key root.key b
failing "$PTXSEAL" sign --key two.key b | hide
failing "$PTXSEAL" trust --revoke two --reason again b | hide
failing "$PTXSEAL" trust --revoke nobody --reason none b | hide
failing "$PTXSEAL" trust --add two.pub --name two --role root b | hide

echo "-- a type of predicate it may not sign"
"$PTXSEAL" keygen --out three.key --public three.pub >keygen.out
quiet trust --add three.pub --name three --role root b
sed -i 's|\("file":"keys/three.pem"[^}]*"predicates":\[\)[^]]*|\1"urn:other"|' b/manifests/trust.json
quiet seal --role root --key root.key b
failing "$PTXSEAL" sign --key three.key b | hide
