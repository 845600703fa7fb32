; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Four threads' worth of a row in shared memory by one thread, read back by it. The variables say
; nothing of their alignment: LLVM believes in a better one than it tells ptxas.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@head = internal addrspace(3) global [3 x float] undef
@row = internal addrspace(3) global [256 x float] undef

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @unaligned_row(ptr addrspace(1) %to) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %value = uitofp i32 %thread to float
  store float %value, ptr addrspace(3) @head, align 4
  %second = getelementptr inbounds i8, ptr addrspace(3) @row, i64 4
  %third = getelementptr inbounds i8, ptr addrspace(3) @row, i64 8
  %fourth = getelementptr inbounds i8, ptr addrspace(3) @row, i64 12
  store float %value, ptr addrspace(3) @row, align 4
  store float %value, ptr addrspace(3) %second, align 4
  store float 1.0, ptr addrspace(3) %third, align 4
  store float 2.0, ptr addrspace(3) %fourth, align 4
  %index = zext i32 %thread to i64
  %place = getelementptr inbounds float, ptr addrspace(3) @row, i64 %index
  %result = load float, ptr addrspace(3) %place, align 4
  %first = load float, ptr addrspace(3) @head, align 4
  %sum = fadd float %result, %first
  store float %sum, ptr addrspace(1) %to, align 4
  ret void
}
