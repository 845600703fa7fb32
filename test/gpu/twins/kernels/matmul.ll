; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; c = a * b, n x n with n a multiple of 16: each block has tiles of both in shared memory.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@left = internal addrspace(3) global [16 x [16 x float]] undef, align 16
@right = internal addrspace(3) global [16 x [16 x float]] undef, align 16

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()

declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()

define ptx_kernel void @matmul(ptr addrspace(1) %c, ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) "nvvm.reqntid"="16,16,1" {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %mul = shl nuw nsw i32 %0, 4
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %add = add nuw nsw i32 %mul, %1
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %mul1 = shl nsw i32 %2, 4
  %3 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add2 = add nuw nsw i32 %mul1, %3
  %cmp52 = icmp sgt i32 %n, 0
  %mul3 = mul nsw i32 %n, %add
  br i1 %cmp52, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %add4 = add nuw i32 %mul3, %3
  %idxprom6 = zext nneg i32 %1 to i64
  %arrayidx7 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) @left, i64 %idxprom6
  %idxprom8 = zext nneg i32 %3 to i64
  %arrayidx9 = getelementptr inbounds nuw float, ptr addrspace(3) %arrayidx7, i64 %idxprom8
  %arrayidx16 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) @right, i64 %idxprom6
  %arrayidx18 = getelementptr inbounds nuw float, ptr addrspace(3) %arrayidx16, i64 %idxprom8
  %invariant.gep = getelementptr inbounds nuw float, ptr addrspace(3) @right, i64 %idxprom8
  br label %for.body

for.cond.cleanup:
  %s.0.lcssa = phi float [ 0.000000e+00, %entry ], [ %8, %for.cond.cleanup21 ]
  %add35 = add nsw i32 %mul3, %add2
  %idxprom36 = sext i32 %add35 to i64
  %arrayidx37 = getelementptr inbounds float, ptr addrspace(1) %c, i64 %idxprom36
  store float %s.0.lcssa, ptr addrspace(1) %arrayidx37, align 4
  ret void

for.body:
  %k.054 = phi i32 [ 0, %for.body.lr.ph ], [ %add32, %for.cond.cleanup21 ]
  %s.053 = phi float [ 0.000000e+00, %for.body.lr.ph ], [ %8, %for.cond.cleanup21 ]
  %add5 = add i32 %add4, %k.054
  %idxprom = sext i32 %add5 to i64
  %arrayidx = getelementptr inbounds float, ptr addrspace(1) %a, i64 %idxprom
  %4 = load float, ptr addrspace(1) %arrayidx, align 4
  store float %4, ptr addrspace(3) %arrayidx9, align 4
  %add10 = add nuw nsw i32 %k.054, %1
  %mul11 = mul nuw nsw i32 %add10, %n
  %add12 = add nuw nsw i32 %mul11, %add2
  %idxprom13 = zext nneg i32 %add12 to i64
  %arrayidx14 = getelementptr inbounds nuw float, ptr addrspace(1) %b, i64 %idxprom13
  %5 = load float, ptr addrspace(1) %arrayidx14, align 4
  store float %5, ptr addrspace(3) %arrayidx18, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %for.body22

for.cond.cleanup21:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %add32 = add nuw nsw i32 %k.054, 16
  %cmp = icmp slt i32 %add32, %n
  br i1 %cmp, label %for.body, label %for.cond.cleanup

for.body22:
  %i.051 = phi i32 [ 0, %for.body ], [ %inc, %for.body22 ]
  %s.150 = phi float [ %s.053, %for.body ], [ %8, %for.body22 ]
  %idxprom25 = zext nneg i32 %i.051 to i64
  %arrayidx26 = getelementptr inbounds nuw float, ptr addrspace(3) %arrayidx7, i64 %idxprom25
  %6 = load float, ptr addrspace(3) %arrayidx26, align 4
  %gep = getelementptr inbounds nuw [16 x float], ptr addrspace(3) %invariant.gep, i64 %idxprom25
  %7 = load float, ptr addrspace(3) %gep, align 4
  %8 = call float @llvm.fma.f32(float %6, float %7, float %s.150)
  %inc = add nuw nsw i32 %i.051, 1
  %exitcond.not = icmp eq i32 %inc, 16
  br i1 %exitcond.not, label %for.cond.cleanup21, label %for.body22
}

declare float @llvm.fma.f32(float, float, float)
