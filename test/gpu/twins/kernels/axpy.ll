; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; y[i] += a * x[i], a thread for each i.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @axpy(ptr addrspace(1) %y, ptr addrspace(1) %x, float %a, i32 %n) {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul nuw nsw i32 %0, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add nuw nsw i32 %mul, %2
  %cmp = icmp slt i32 %add, %n
  br i1 %cmp, label %if.then, label %if.end

if.then:
  %idxprom = zext nneg i32 %add to i64
  %arrayidx = getelementptr inbounds nuw float, ptr addrspace(1) %x, i64 %idxprom
  %3 = load float, ptr addrspace(1) %arrayidx, align 4
  %mul1 = fmul float %a, %3
  %arrayidx3 = getelementptr inbounds nuw float, ptr addrspace(1) %y, i64 %idxprom
  %4 = load float, ptr addrspace(1) %arrayidx3, align 4
  %add4 = fadd float %4, %mul1
  store float %add4, ptr addrspace(1) %arrayidx3, align 4
  br label %if.end

if.end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
