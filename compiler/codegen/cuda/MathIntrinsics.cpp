// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The few functions that kernels are made of, as intrinsics of LLVM, which are single instructions
// of the hardware with the host's bits. Upstream's conversion would call libdevice.
#include "compiler/codegen/cuda/MathIntrinsics.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

StringRef intrinsicOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<math::AbsFOp>([](auto) { return "llvm.fabs"; })
      .Case<math::CeilOp>([](auto) { return "llvm.ceil"; })
      .Case<math::CopySignOp>([](auto) { return "llvm.copysign"; })
      .Case<math::FloorOp>([](auto) { return "llvm.floor"; })
      .Case<math::FmaOp>([](auto) { return "llvm.fma"; })
      .Case<math::RoundEvenOp>([](auto) { return "llvm.rint"; }) // which the hardware has
      .Case<math::SqrtOp>([](auto) { return "llvm.sqrt"; })
      .Default([](auto) { return StringRef(); });
}

struct MathIntrinsics : PassWrapper<MathIntrinsics, OperationPass<gpu::GPUModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MathIntrinsics)

  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      StringRef intrinsic = intrinsicOf(op);
      if (intrinsic.empty())
        return;
      OpBuilder b(op);
      auto call = LLVM::CallIntrinsicOp::create(b, op->getLoc(), op->getResult(0).getType(),
                                                b.getStringAttr(intrinsic), op->getOperands());
      op->getResult(0).replaceAllUsesWith(call.getResult(0));
      op->erase();
    });
  }
};

} // namespace

std::unique_ptr<Pass> createMathIntrinsicsPass() { return std::make_unique<MathIntrinsics>(); }

} // namespace sluice::codegen
