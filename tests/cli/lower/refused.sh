# What cannot be lowered is refused before anything is written: no description, no such task or file, what does not compile, what calls another library, what reads the device.
. "$REPO/tests/cli/lower/common"
tiny_task
dir=artifact/candidates/$task
try() {
	lower "$dir/$1" 2>err && echo done || echo "exit $?: $(sed 's/^ptxseal: //; s/ (R-\(...-...\).*/ (R-\1)/; s|/[^ ]*/ptxseal-[^ ]*|FILE|g' err)"
	ls b/"$dir/$1" | tr '\n' ' '
	echo
}
host light "$REPO/tests/candidates/host/light.cu"
lower --dry-run "$dir/light" | hide
ls "b/$dir/light"
host none /dev/null
mv "b/$dir/none/kernel.cu" "b/$dir/none/other.cu"
try none
host syntax /dev/null
echo 'void run( {' >"b/$dir/syntax/kernel.cu"
try syntax
host named /dev/null
sed -i 's/"named"/"otherwise"/' "b/$dir/named/candidate.json"
cp "$REPO/tests/candidates/host/plain.cu" "b/$dir/named/kernel.cu"
try named
host up /dev/null
sed -i 's|"kernel.cu"|"../kernel.cu"|' "b/$dir/up/candidate.json"
try up
host arch /dev/null
sed -i 's|sm_90a|sm_90a,code=sm_80|' "b/$dir/arch/candidate.json"
try arch
host workload /dev/null nonesuch
try workload
candidate data gemm_right
try data
export_run='extern "C" __attribute__((visibility("default"))) int __tvm_ffi_run(void *, void *, int, void *)'
printf 'int n;\n%s { return cudaMemcpy(&n, 0, 4, cudaMemcpyDeviceToHost); }\n' "$export_run" >reads.cu
host reads reads.cu
try reads
printf 'extern "C" int cublasCreate_v2(void **);\n%s { void *handle; return cublasCreate_v2(&handle); }\n' "$export_run" >cublas.cu
host cublas cublas.cu
try cublas
sed 's/TVM_FFI_ICHECK_EQ(a.ndim(), 2)/TVM_FFI_ICHECK_EQ(a.ndim(), 3) << "by design"/' "$REPO/tests/candidates/host/plain.cu" >throws.cu
host throws throws.cu
try throws
for output in kernel.ptx kernel.sm_90a.cubin candidate.json; do
	host over "$REPO/tests/candidates/host/light.cu"
	sed -i "s|\"kernel.cu\"|\"$output\"|" "b/$dir/over/candidate.json"
	try over
done
printf 'asm(".incbin \\"%s\\"");\n%s { return 0; }\n' /etc/passwd "$export_run" >incbin.cu
host incbin incbin.cu
try incbin
