# A PTX text is assembled by the ptxas that is found first; its version, its report and the cubin's instructions are reported.
mkdir -p cuda/bin
cat >cuda/bin/ptxas <<EOF
#!/bin/sh
[ "\$1" != --version ] || { echo 'Cuda compilation tools, release 1.2, V1.2.3'; exit; }
echo "\$*"
echo 'ptxas info    : Compile time = 3.4 ms'
cp "$REPO/tests/kernel/wgmma_null.cubin" kernel.cubin
EOF
chmod +x cuda/bin/ptxas
CUDA_HOME=$PWD/cuda "$PTXSEAL" inspect --arch sm_90a "$REPO/tests/kernel/wgmma_null.ptx" | grep -v '^ptxas 1.2.3, sha256 [0-9a-f]*$'
