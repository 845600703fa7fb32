// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// codegen-launch-kernels: launches as calls of the runtime.
#include "compiler/codegen/cpu/EmitCodelet.h"
#include "compiler/codegen/elements/RuntimeCalls.h"
#include "compiler/codegen/gpu/KernelBuilder.h"
#include "compiler/codegen/gpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace sluice::codegen {
#define GEN_PASS_DEF_CODEGENLAUNCHKERNELS
#include "compiler/codegen/gpu/Passes.h.inc"

namespace {

// Parameters travel as an array of the addresses of their values, as drivers take them.
Value parameterArray(ImplicitLocOpBuilder &b, func::FuncOp caller, ValueRange passed) {
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto values =
      LLVM::LLVMStructType::getLiteral(b.getContext(), llvm::to_vector(passed.getTypes()));
  auto addresses = LLVM::LLVMArrayType::get(pointer, passed.size());
  Value room, array;
  {
    // Not in a loop, where each iteration would take more of the stack.
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&caller.getBody().front());
    Value one = arith::ConstantIntOp::create(b, 1, 64);
    room = LLVM::AllocaOp::create(b, pointer, values, one, 8);
    array = LLVM::AllocaOp::create(b, pointer, addresses, one, 8);
  }
  for (auto [i, value] : llvm::enumerate(passed)) {
    auto at = static_cast<int32_t>(i);
    Value field = LLVM::GEPOp::create(b, pointer, values, room, ArrayRef<LLVM::GEPArg>{0, at},
                                      LLVM::GEPNoWrapFlags::inbounds);
    LLVM::StoreOp::create(b, value, field);
    Value entry = LLVM::GEPOp::create(b, pointer, addresses, array, ArrayRef<LLVM::GEPArg>{0, at},
                                      LLVM::GEPNoWrapFlags::inbounds);
    LLVM::StoreOp::create(b, field, entry);
  }
  return array;
}

struct LaunchKernels : impl::CodegenLaunchKernelsBase<LaunchKernels> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      function.walk([&](gpu::LaunchFuncOp launch) {
        ImplicitLocOpBuilder b(launch.getLoc(), launch);
        int64_t number = numberOfKernel(function, launch.getKernelName());
        Value count = arith::IndexCastOp::create(b, b.getI64Type(), launch.getGridSizeX());
        callRuntime(b, "sluice_launch",
                    {function.getArgument(0), arith::ConstantIntOp::create(b, number, 32), count,
                     parameterArray(b, function, launch.getKernelOperands())},
                    Type());
        launch.erase();
      });
  }
};

} // namespace
} // namespace sluice::codegen
