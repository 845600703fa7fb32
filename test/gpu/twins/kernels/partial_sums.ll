; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A sum for each block, halved in shared memory; the second stage is the same kernel on the sums.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@sums = internal addrspace(3) global [256 x float] undef, align 4

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent

define ptx_kernel void @partial_sums(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %mul = mul nuw nsw i32 %0, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add nuw nsw i32 %mul, %2
  %cmp30 = icmp slt i32 %add, %n
  br i1 %cmp30, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %3 = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %mul2 = mul nuw nsw i32 %1, %3
  br label %for.body

for.cond.cleanup:
  %s.0.lcssa = phi float [ 0.000000e+00, %entry ], [ %add1, %for.body ]
  %idxprom4 = zext nneg i32 %2 to i64
  %arrayidx5 = getelementptr inbounds nuw float, ptr addrspace(3) @sums, i64 %idxprom4
  store float %s.0.lcssa, ptr addrspace(3) %arrayidx5, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %d.033 = lshr i32 %1, 1
  %tobool.not34 = icmp eq i32 %d.033, 0
  br i1 %tobool.not34, label %for.cond.cleanup7, label %for.body8

for.body:
  %i.032 = phi i32 [ %add, %for.body.lr.ph ], [ %add3, %for.body ]
  %s.031 = phi float [ 0.000000e+00, %for.body.lr.ph ], [ %add1, %for.body ]
  %idxprom = zext nneg i32 %i.032 to i64
  %arrayidx = getelementptr inbounds nuw float, ptr addrspace(1) %in, i64 %idxprom
  %4 = load float, ptr addrspace(1) %arrayidx, align 4
  %add1 = fadd float %s.031, %4
  %add3 = add nuw nsw i32 %i.032, %mul2
  %cmp = icmp slt i32 %add3, %n
  br i1 %cmp, label %for.body, label %for.cond.cleanup

for.cond.cleanup7:
  %cmp18 = icmp eq i32 %2, 0
  br i1 %cmp18, label %if.then19, label %if.end22

for.body8:
  %d.035 = phi i32 [ %d.0, %if.end ], [ %d.033, %for.cond.cleanup ]
  %cmp9 = icmp samesign ult i32 %2, %d.035
  br i1 %cmp9, label %if.then, label %if.end

if.then:
  %add10 = add nuw nsw i32 %d.035, %2
  %idxprom11 = zext nneg i32 %add10 to i64
  %arrayidx12 = getelementptr inbounds nuw float, ptr addrspace(3) @sums, i64 %idxprom11
  %5 = load float, ptr addrspace(3) %arrayidx12, align 4
  %6 = load float, ptr addrspace(3) %arrayidx5, align 4
  %add15 = fadd float %5, %6
  store float %add15, ptr addrspace(3) %arrayidx5, align 4
  br label %if.end

if.end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %d.0 = lshr i32 %d.035, 1
  %tobool.not = icmp eq i32 %d.0, 0
  br i1 %tobool.not, label %for.cond.cleanup7, label %for.body8

if.then19:
  %idxprom20 = zext nneg i32 %0 to i64
  %arrayidx21 = getelementptr inbounds nuw float, ptr addrspace(1) %out, i64 %idxprom20
  %7 = load float, ptr addrspace(3) @sums, align 4
  store float %7, ptr addrspace(1) %arrayidx21, align 4
  br label %if.end22

if.end22:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
