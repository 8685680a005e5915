# R-TLC-003: the first complaint of ptxas, exit 1.
mkdir -p cuda/bin
cat >cuda/bin/ptxas <<'EOF'
#!/bin/sh
[ "$1" != --version ] || { echo 'Cuda compilation tools, release 1.2, V1.2.3'; exit; }
echo 'ptxas kernel.ptx, line 12; error   : Not a name of any known instruction'
exit 255
EOF
chmod +x cuda/bin/ptxas
cp "$REPO/tests/kernel/wgmma_null.ptx" k.ptx
CUDA_HOME=$PWD/cuda "$PTXSEAL" inspect k.ptx
