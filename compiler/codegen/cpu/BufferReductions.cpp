// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of buffers: calls of the runtime, because the order in which elements are combined
// decides about bits and depends on all dims.
#include "compiler/codegen/cpu/BufferViews.h"
#include "compiler/codegen/cpu/Lowerings.h"
#include "compiler/codegen/elements/ReductionCode.h"
#include "compiler/codegen/elements/RuntimeCalls.h"
#include "compiler/codegen/shapes/ConstantOperands.h"
#include "dialects/interfaces/KernelOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

// The dims as an array in memory, on the stack of the function.
Value storeDims(Emitter &emitter, ArrayRef<Value> dims) {
  ImplicitLocOpBuilder &b = emitter.builder();
  Value array;
  {
    // Not in a loop, where each iteration would take more of the stack.
    OpBuilder::InsertionGuard guard(b);
    Operation *function = b.getInsertionBlock()->getParentOp();
    if (!isa<func::FuncOp>(function))
      function = function->getParentOfType<func::FuncOp>();
    b.setInsertionPointToStart(&cast<func::FuncOp>(function).getBody().front());
    Value count = arith::ConstantIntOp::create(b, std::max<size_t>(1, dims.size()), 64);
    array = LLVM::AllocaOp::create(b, LLVM::LLVMPointerType::get(b.getContext()), b.getI64Type(),
                                   count, 8);
  }
  for (auto [i, dim] : llvm::enumerate(dims)) {
    Value at = LLVM::GEPOp::create(b, array.getType(), b.getI64Type(), array,
                                   ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
    LLVM::StoreOp::create(b, arith::IndexCastOp::create(b, b.getI64Type(), dim), at);
  }
  return array;
}

// sluice_nd_reduce_sum_f32, …: named as the plain kernel is.
std::string functionFor(Operation *op) {
  StringRef kernel(kernelOf(op)->symbol);
  kernel.consume_front("sluice_kernel_");
  return ("sluice_" + kernel).str();
}

} // namespace

LogicalResult lowerReductionInMemory(Operation *op, Emitter &emitter) {
  ImplicitLocOpBuilder &b = emitter.builder();
  Value input = op->getOperand(0);
  SmallVector<Value> dims = emitter.dims(input);
  auto axes = constantAxisSet(op->getOperand(1), dims.size());
  uint32_t mask = 0;
  for (auto [axis, isReduced] : llvm::enumerate(*axes))
    mask |= isReduced ? 1u << axis : 0;
  Value from = emitter.pointerTo(contiguousBuffer(emitter, input));
  Value to = emitter.pointerTo(emitter.destination(op->getResult(0)));
  callRuntime(b, functionFor(op),
              {from, storeDims(emitter, dims),
               arith::ConstantIntOp::create(b, static_cast<int64_t>(dims.size()), 32),
               arith::ConstantIntOp::create(b, mask, 32), to},
              Type());
  return success();
}

} // namespace sluice::codegen
