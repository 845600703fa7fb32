// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code of a codelet whose buffers are on a GPU: loops over elements become kernels, and copies of
// whole buffers are enqueued. What is left computes sizes, addresses and scalars on the host.
#include "compiler/codegen/elements/RuntimeCalls.h"
#include "compiler/codegen/gpu/Passes.h"
#include "compiler/codegen/gpu/PositionKernel.h"
#include "compiler/codegen/plan/IterationSpace.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace sluice::codegen {
#define GEN_PASS_DEF_CODEGENENQUEUE
#include "compiler/codegen/gpu/Passes.h.inc"

namespace {

// A generic as a kernel with a thread for each position.
class ElementKernel {
public:
  ElementKernel(linalg::GenericOp op, IterationSpace space)
      : op_(op), space_(std::move(space)), b_(op.getLoc(), op) {}

  void launch() {
    // Joined loops no longer say where in the buffers they are.
    if (op_.getBody()->getOps<linalg::IndexOp>().empty())
      space_.collapse(b_);
    SmallVector<Value> sizes;
    for (int64_t loop = 0; loop < space_.rank(); ++loop)
      sizes.push_back(space_.size(b_, loop));
    llvm::SetVector<Value> used;
    for (const Access &access : accesses())
      used.insert(access.buffer);
    getUsedValuesDefinedAbove(op_->getRegions(), used);
    forEachPositionOnCard(
        b_, sizes, used.getArrayRef(),
        [&](ArrayRef<Value> position, IRMapping &inside) { emitBody(position, inside); });
    op_.erase();
  }

private:
  SmallVector<Access> accesses() const {
    SmallVector<Access> all(space_.inputs());
    llvm::append_range(all, space_.outputs());
    return all;
  }

  SmallVector<Value> indicesOf(const Access &access, ArrayRef<Value> variables) {
    SmallVector<Value> indices;
    for (int64_t loop : access.dims)
      indices.push_back(loop < 0 ? Value(arith::ConstantIndexOp::create(b_, 0)) : variables[loop]);
    return indices;
  }

  void emitBody(ArrayRef<Value> variables, IRMapping &inside) {
    Block &body = *op_.getBody();
    for (auto [argument, access] : llvm::zip(body.getArguments(), space_.inputs())) {
      Value operand = inside.lookup(access.buffer);
      if (access.isBuffer())
        operand = memref::LoadOp::create(b_, operand, indicesOf(access, variables));
      inside.map(argument, operand);
    }
    for (Operation &op : body.without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(op))
        inside.map(index.getResult(), variables[index.getDim()]);
      else
        b_.clone(op, inside);
    }
    for (auto [value, access] : llvm::zip(body.getTerminator()->getOperands(), space_.outputs()))
      memref::StoreOp::create(b_, inside.lookupOrDefault(value), inside.lookup(access.buffer),
                              indicesOf(access, variables));
  }

  linalg::GenericOp op_;
  IterationSpace space_;
  ImplicitLocOpBuilder b_;
};

Value addressOf(ImplicitLocOpBuilder &b, Value memref) {
  Value index = memref::ExtractAlignedPointerAsIndexOp::create(b, memref);
  Value word = arith::IndexCastOp::create(b, b.getI64Type(), index);
  return LLVM::IntToPtrOp::create(b, LLVM::LLVMPointerType::get(b.getContext()), word);
}

// The loop that a card runs by itself, in the body of a codelet; null without.
scf::WhileOp loopOf(func::FuncOp body) {
  auto loops = body.getBody().front().getOps<scf::WhileOp>();
  return loops.empty() ? scf::WhileOp() : *loops.begin();
}

// Whether the op is in the loop or behind it, where nobody but the card can copy.
bool isForCard(Operation *op, scf::WhileOp loop) {
  Operation *top = loop ? loop->getBlock()->findAncestorOpInBlock(*op) : nullptr;
  return top && !top->isBeforeInBlock(loop);
}

linalg::GenericOp asGeneric(memref::CopyOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto rank = static_cast<unsigned>(cast<MemRefType>(op.getSource().getType()).getRank());
  AffineMap map = b.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, ValueRange{op.getSource()}, ValueRange{op.getTarget()}, ArrayRef<AffineMap>{map, map},
      loops, [](OpBuilder &inside, Location location, ValueRange arguments) {
        linalg::YieldOp::create(inside, location, arguments.front());
      });
  op.erase();
  return generic;
}

// Both are whole buffers with identity layout.
void enqueueCopy(memref::CopyOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto type = cast<MemRefType>(op.getSource().getType());
  Value bytes =
      arith::ConstantIndexOp::create(b, type.getElementType().getIntOrFloatBitWidth() / 8);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    bytes = arith::MulIOp::create(b, bytes, memref::DimOp::create(b, op.getSource(), dim));
  Value call = op->getParentOfType<func::FuncOp>().getArgument(0);
  callRuntime(b, "sluice_copy_on_device",
              {call, addressOf(b, op.getTarget()), addressOf(b, op.getSource()),
               arith::IndexCastOp::create(b, b.getI64Type(), bytes)},
              Type());
  op.erase();
}

struct CodegenEnqueue : impl::CodegenEnqueueBase<CodegenEnqueue> {
  using CodegenEnqueueBase::CodegenEnqueueBase;

  void runOnOperation() override {
    SmallVector<linalg::GenericOp> generics;
    SmallVector<memref::CopyOp> copies;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(kCardAttr)) {
        scf::WhileOp loop = loopOf(function);
        function.walk([&](Operation *op) {
          auto copy = dyn_cast<memref::CopyOp>(op);
          if (auto generic = dyn_cast<linalg::GenericOp>(op))
            generics.push_back(generic);
          else if (copy && isForCard(copy, loop))
            generics.push_back(asGeneric(copy));
          else if (copy)
            copies.push_back(copy);
        });
      }
    for (linalg::GenericOp op : generics) {
      FailureOr<IterationSpace> space = IterationSpace::of(op);
      if (failed(space)) {
        op.emitError("expected loops without reductions, over whole buffers");
        return signalPassFailure();
      }
      ElementKernel(op, std::move(*space)).launch();
      ++numKernels;
    }
    for (memref::CopyOp op : copies)
      enqueueCopy(op);
  }
};

} // namespace
} // namespace sluice::codegen
