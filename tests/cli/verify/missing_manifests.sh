# R-BND-001, R-BND-007, R-TRU-001, R-TRU-003: every part of the seal is missed when it is gone.
. "$REPO/tests/cli/verify/common"
sealed
for file in manifests/root.dsse.json manifests/demo.dsse.json manifests/trust.json manifests/keys/root.pem \
	checksums/SHA256SUMS checksums/SHA256SUMS.sig; do
	printf -- '-- %s\n' $file
	cp -R b whole
	rm b/$file
	check || [ $? -eq 1 ]
	rm -r b
	mv whole b
done
check
