; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A matrix transposed by tiles of 16 x 16 in shared memory; any size.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [16 x [17 x float]] undef, align 4

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent

define ptx_kernel void @transpose(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) "nvvm.reqntid"="16,16,1" {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %mul = shl nsw i32 %0, 4
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add nuw nsw i32 %mul, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %mul1 = shl nuw nsw i32 %2, 4
  %3 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %add2 = add nuw nsw i32 %mul1, %3
  %cmp = icmp slt i32 %add, %n
  %cmp3 = icmp slt i32 %add2, %n
  %or.cond = select i1 %cmp, i1 %cmp3, i1 false
  br i1 %or.cond, label %if.then, label %if.end

if.then:
  %mul4 = mul nsw i32 %n, %add2
  %add5 = add nuw nsw i32 %mul4, %add
  %idxprom = zext nneg i32 %add5 to i64
  %arrayidx = getelementptr inbounds nuw float, ptr addrspace(1) %in, i64 %idxprom
  %4 = load float, ptr addrspace(1) %arrayidx, align 4
  %idxprom6 = zext nneg i32 %3 to i64
  %arrayidx7 = getelementptr inbounds nuw [17 x float], ptr addrspace(3) @tile, i64 %idxprom6
  %idxprom8 = zext nneg i32 %1 to i64
  %arrayidx9 = getelementptr inbounds nuw float, ptr addrspace(3) %arrayidx7, i64 %idxprom8
  store float %4, ptr addrspace(3) %arrayidx9, align 4
  br label %if.end

if.end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %add11 = add nuw nsw i32 %mul1, %1
  %add13 = add nuw nsw i32 %mul, %3
  %cmp14 = icmp slt i32 %add11, %n
  %cmp16 = icmp slt i32 %add13, %n
  %or.cond36 = select i1 %cmp14, i1 %cmp16, i1 false
  br i1 %or.cond36, label %if.then17, label %if.end26

if.then17:
  %idxprom18 = zext nneg i32 %1 to i64
  %arrayidx19 = getelementptr inbounds nuw [17 x float], ptr addrspace(3) @tile, i64 %idxprom18
  %idxprom20 = zext nneg i32 %3 to i64
  %arrayidx21 = getelementptr inbounds nuw float, ptr addrspace(3) %arrayidx19, i64 %idxprom20
  %5 = load float, ptr addrspace(3) %arrayidx21, align 4
  %mul22 = mul nsw i32 %n, %add13
  %add23 = add nuw nsw i32 %mul22, %add11
  %idxprom24 = zext nneg i32 %add23 to i64
  %arrayidx25 = getelementptr inbounds nuw float, ptr addrspace(1) %out, i64 %idxprom24
  store float %5, ptr addrspace(1) %arrayidx25, align 4
  br label %if.end26

if.end26:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()

declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
