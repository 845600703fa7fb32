; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The sum of a row by one block: shuffles in each warp, then through shared memory in the first.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@warps = internal addrspace(3) global [32 x float] undef, align 4

declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @block_sum(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cmp44 = icmp slt i32 %0, %n
  br i1 %cmp44, label %for.body.lr.ph, label %for.body4.preheader

for.body4.preheader:
  %s.147.ph = phi float [ 0.000000e+00, %entry ], [ %add, %for.body ]
  br label %for.body4

for.body.lr.ph:
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %for.body

for.body:
  %i.046 = phi i32 [ %0, %for.body.lr.ph ], [ %add1, %for.body ]
  %s.045 = phi float [ 0.000000e+00, %for.body.lr.ph ], [ %add, %for.body ]
  %idxprom = zext nneg i32 %i.046 to i64
  %arrayidx = getelementptr inbounds nuw float, ptr addrspace(1) %in, i64 %idxprom
  %2 = load float, ptr addrspace(1) %arrayidx, align 4
  %add = fadd float %s.045, %2
  %add1 = add nuw nsw i32 %i.046, %1
  %cmp = icmp slt i32 %add1, %n
  br i1 %cmp, label %for.body, label %for.body4.preheader

for.cond.cleanup3:
  %rem = and i32 %0, 31
  %cmp8 = icmp eq i32 %rem, 0
  br i1 %cmp8, label %if.then, label %if.end

for.body4:
  %d.048 = phi i32 [ %shr, %for.body4 ], [ 16, %for.body4.preheader ]
  %s.147 = phi float [ %add5, %for.body4 ], [ %s.147.ph, %for.body4.preheader ]
  %3 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s.147, i32 %d.048, i32 31)
  %add5 = fadd float %s.147, %3
  %shr = lshr i32 %d.048, 1
  %tobool.not = icmp eq i32 %shr, 0
  br i1 %tobool.not, label %for.cond.cleanup3, label %for.body4

if.then:
  %div42 = lshr exact i32 %0, 5
  %idxprom9 = zext nneg i32 %div42 to i64
  %arrayidx10 = getelementptr inbounds nuw float, ptr addrspace(3) @warps, i64 %idxprom9
  store float %add5, ptr addrspace(3) %arrayidx10, align 4
  br label %if.end

if.end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %cmp11 = icmp samesign ult i32 %0, 32
  br i1 %cmp11, label %if.then12, label %if.end29

if.then12:
  %4 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %div1343 = lshr i32 %4, 5
  %cmp14 = icmp samesign ult i32 %0, %div1343
  br i1 %cmp14, label %cond.true, label %for.body21.preheader

cond.true:
  %idxprom15 = zext nneg i32 %0 to i64
  %arrayidx16 = getelementptr inbounds nuw float, ptr addrspace(3) @warps, i64 %idxprom15
  %5 = load float, ptr addrspace(3) %arrayidx16, align 4
  br label %for.body21.preheader

for.body21.preheader:
  %s.249.ph = phi float [ %5, %cond.true ], [ 0.000000e+00, %if.then12 ]
  br label %for.body21

for.cond.cleanup20:
  %cmp26 = icmp eq i32 %0, 0
  br i1 %cmp26, label %if.then27, label %if.end29

for.body21:
  %d17.050 = phi i32 [ %shr24, %for.body21 ], [ 16, %for.body21.preheader ]
  %s.249 = phi float [ %add22, %for.body21 ], [ %s.249.ph, %for.body21.preheader ]
  %6 = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %s.249, i32 %d17.050, i32 31)
  %add22 = fadd float %s.249, %6
  %shr24 = lshr i32 %d17.050, 1
  %tobool19.not = icmp eq i32 %shr24, 0
  br i1 %tobool19.not, label %for.cond.cleanup20, label %for.body21

if.then27:
  store float %add22, ptr addrspace(1) %out, align 4
  br label %if.end29

if.end29:
  ret void
}

declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32) convergent

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent

declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32) convergent
