; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a card does at best: nothing, a loop that stays in one block, a stream of bytes.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define ptx_kernel void @nothing() {
  ret void
}

; while (i < n) x *= b, a thread for each element, with a barrier in each iteration.
define ptx_kernel void @loop_in_block(ptr addrspace(1) %x, float %b, i32 %n) {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %thread to i64
  %place = getelementptr float, ptr addrspace(1) %x, i64 %wide
  %first = load float, ptr addrspace(1) %place, align 4
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %body, label %exit
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %value = phi float [ %first, %entry ], [ %product, %body ]
  %product = fmul float %value, %b
  store volatile float %product, ptr addrspace(1) %place, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %exit
exit:
  ret void
}

; Keeps one multiprocessor busy for so many steps, then writes the number.
define ptx_kernel void @late(ptr addrspace(1) %place, i32 %number, i32 %steps) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %seen = load volatile i32, ptr addrspace(1) %place, align 4
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %steps
  br i1 %more, label %body, label %exit
exit:
  store i32 %number, ptr addrspace(1) %place, align 4
  ret void
}
