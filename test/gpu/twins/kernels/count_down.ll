; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Takes one from a counter and goes on while something is left; `reset` sets it, and the condition.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @cudaGraphSetConditional(i64, i32)

define ptx_kernel void @count_down(ptr addrspace(1) %counter, i64 %handle) {
  %before = load i32, ptr addrspace(1) %counter, align 4
  %after = add i32 %before, -1
  store i32 %after, ptr addrspace(1) %counter, align 4
  %more = icmp sgt i32 %after, 0
  %value = zext i1 %more to i32
  call void @cudaGraphSetConditional(i64 %handle, i32 %value)
  ret void
}

define ptx_kernel void @reset(ptr addrspace(1) %counter, i32 %count, i64 %handle) {
  store i32 %count, ptr addrspace(1) %counter, align 4
  %more = icmp sgt i32 %count, 0
  %value = zext i1 %more to i32
  call void @cudaGraphSetConditional(i64 %handle, i32 %value)
  ret void
}

define ptx_kernel void @increment(ptr addrspace(1) %place) {
  %before = load i32, ptr addrspace(1) %place, align 4
  %after = add i32 %before, 1
  store i32 %after, ptr addrspace(1) %place, align 4
  ret void
}
