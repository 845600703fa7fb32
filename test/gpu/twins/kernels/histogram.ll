; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Counts bytes below 16: in shared memory whose size the launch tells, then in global memory.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@counts = external addrspace(3) global [0 x i32], align 4

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent

; Blocks of 64 threads, each of which has one byte.
define ptx_kernel void @histogram(ptr addrspace(1) %to, ptr addrspace(1) %from) "nvvm.reqntid"="64" {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp ult i32 %tid, 16
  %mine = getelementptr [0 x i32], ptr addrspace(3) @counts, i32 0, i32 %tid
  br i1 %first, label %clear, label %cleared

clear:
  store i32 0, ptr addrspace(3) %mine, align 4
  br label %cleared

cleared:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %base = shl i32 %block, 6
  %index = add i32 %base, %tid
  %place = getelementptr i8, ptr addrspace(1) %from, i32 %index
  %byte = load i8, ptr addrspace(1) %place, align 1
  %number = zext i8 %byte to i32
  %count = getelementptr [0 x i32], ptr addrspace(3) @counts, i32 0, i32 %number
  %old = atomicrmw add ptr addrspace(3) %count, i32 1 monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %add, label %end

add:
  %sum = load i32, ptr addrspace(3) %mine, align 4
  %out = getelementptr i32, ptr addrspace(1) %to, i32 %tid
  %before = atomicrmw add ptr addrspace(1) %out, i32 %sum monotonic, align 4
  br label %end

end:
  ret void
}
