# Every fate of a candidate is its own outcome, with the rule that it broke (R-RPL-001, -002, -003, R-GPU-012), and costs that candidate only.
. "$REPO/tests/cli/replay/common"
tiny_task
candidate right gemm_right
candidate wrong gemm_wrong
candidate half gemm_half
candidate overrun overrun
candidate mutate mutate
candidate illegal illegal
candidate trap trap
candidate killed kill
candidate nothing nothing
candidate refused gemm_right
sed -i 's/.target sm_90a/.target sm_90a\n.nonsense/' "b/artifact/candidates/$task/refused/kernel.ptx"
candidate unlike gemm_right
sed -i 's/,{"u32":"K"}\]/]/' "b/artifact/candidates/$task/unlike/candidate.json"
replay r --brief --no-evidence | still | sed 's/\(R-TLC-003\).*/\1/'
