// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products of buffers: calls of the runtime, which keeps to the order of the plain kernel.
//
// Transposed matrices and parts of larger ones are read where they lie, and so is
// a matrix that repeats along a batch dim.
#include "compiler/codegen/cpu/BufferViews.h"
#include "compiler/codegen/cpu/Lowerings.h"
#include "compiler/codegen/cpu/MatrixOperand.h"
#include "compiler/codegen/elements/RuntimeCalls.h"
#include "compiler/codegen/elements/SmallFloats.h"
#include "compiler/codegen/shapes/ProductBatches.h"
#include "dialects/interfaces/KernelOps.h"
#include "dialects/nd/Nd.h"
#include "runtime/codelet/support.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

class ProductEmitter {
public:
  ProductEmitter(nd::MatmulOp op, Emitter &emitter)
      : op_(op), emitter_(emitter), b_(emitter.builder()),
        swapsLhs_(op.getTransposeLhs() || op.getAdjointLhs()),
        swapsRhs_(op.getTransposeRhs() || op.getAdjointRhs()) {}

  void emit() {
    ArrayRef<AffineExpr> lhs = emitter_.shapes().dims(op_.getLhs());
    ArrayRef<AffineExpr> result = emitter_.shapes().dims(op_.getResult());
    m_ = result[result.size() - 2];
    n_ = result.back();
    k_ = lhs[lhs.size() - (swapsLhs_ ? 2 : 1)];
    lhs_ = matrixOf(emitter_, op_.getLhs(), swapsLhs_, m_, k_);
    rhs_ = matrixOf(emitter_, op_.getRhs(), swapsRhs_, k_, n_);
    SmallVector<BatchRun> runs = batchRuns(lhs, emitter_.shapes().dims(op_.getRhs()), result);
    if (!runs.empty() && joinsRows(runs.back()))
      m_ = runs.pop_back_val().count * m_;
    Value a = emitter_.pointerTo(lhs_.buffer);
    Value c = emitter_.pointerTo(emitter_.destination(op_.getResult()));
    if (runs.empty())
      if (auto sizes = smallProduct(m_, n_, k_, elementType(), rhs_))
        return emitSmallProduct(emitter_, lhs_, rhs_, c, *sizes, /*accumulate=*/false);
    if (runs.empty() && !lhs_.transposed)
      if (Value packed = packedBeforeLoop(emitter_, rhs_, swapsRhs_, elementType()))
        return emitPacked(a, packed, c);
    emitBatches(runs, a, emitter_.pointerTo(rhs_.buffer), c);
  }

private:
  Type elementType() { return cast<RankedTensorType>(op_.getType()).getElementType(); }

  // Matrices that meet one right operand and lie one after the other are one matrix of more rows:
  // an element depends on its row and its column only.
  bool joinsRows(const BatchRun &innermost) const {
    return innermost.movesLhs && !innermost.movesRhs && !lhs_.transposed;
  }

  // Loops over the batches; an operand stays where it is along dims in which it repeats.
  void emitBatches(ArrayRef<BatchRun> runs, Value a, Value b, Value c) {
    if (runs.empty())
      return emitOne(a, b, c);
    BatchRun run = runs.front();
    AffineExpr stepA = m_ * k_, stepB = k_ * n_, stepC = m_ * n_;
    for (const BatchRun &inner : runs.drop_front()) {
      stepA = inner.movesLhs ? stepA * inner.count : stepA;
      stepB = inner.movesRhs ? stepB * inner.count : stepB;
      stepC = stepC * inner.count;
    }
    Value zero = arith::ConstantIndexOp::create(b_, 0), one = arith::ConstantIndexOp::create(b_, 1);
    auto loop = scf::ForOp::create(b_, zero, emitter_.dim(run.count), one);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    Value position = loop.getInductionVar();
    emitBatches(runs.drop_front(), run.movesLhs ? advanced(a, position, stepA) : a,
                run.movesRhs ? advanced(b, position, stepB) : b, advanced(c, position, stepC));
  }

  Value advanced(Value first, Value position, AffineExpr step) {
    Value offset = arith::MulIOp::create(b_, position, emitter_.dim(step));
    return LLVM::GEPOp::create(b_, first.getType(), memoryElementType(elementType()), first,
                               ArrayRef<LLVM::GEPArg>{toI64(b_, offset)},
                               LLVM::GEPNoWrapFlags::inbounds);
  }

  Value sizeOf(AffineExpr dim) { return toI64(b_, emitter_.dim(dim)); }
  Value flag(bool value) { return arith::ConstantIntOp::create(b_, value, 32); }
  std::string function(StringRef name) {
    return ("sluice_" + name + "_" + rt::dtypeName(*dtypeOf(elementType()))).str();
  }

  void emitPacked(Value a, Value packed, Value c) {
    Value m = sizeOf(m_), n = sizeOf(n_), k = sizeOf(k_);
    Value none = LLVM::ZeroOp::create(b_, c.getType());
    callRuntime(b_, function("gemm_packed"),
                {m, n, k, a, toI64(b_, lhs_.leading), packed, none, n, c, n}, Type());
  }

  void emitOne(Value a, Value b, Value c) {
    Value m = sizeOf(m_), n = sizeOf(n_), k = sizeOf(k_);
    callRuntime(b_, function("gemm"),
                {m, n, k, a, toI64(b_, lhs_.leading), flag(lhs_.transposed), b,
                 toI64(b_, rhs_.leading), flag(rhs_.transposed), c, n, flag(false)},
                Type());
  }

  nd::MatmulOp op_;
  Emitter &emitter_;
  ImplicitLocOpBuilder &b_;
  bool swapsLhs_, swapsRhs_;
  AffineExpr m_, n_, k_; // of one product, when the batches that it joins are counted in
  MatrixOperand lhs_, rhs_;
};

LogicalResult lowerMatmul(Operation *op, Emitter &emitter) {
  ProductEmitter(cast<nd::MatmulOp>(op), emitter).emit();
  return success();
}

} // namespace

template <> LogicalResult lower(nd::MatmulOp op, Emitter &emitter) {
  return lowerMatmul(op, emitter);
}

} // namespace sluice::codegen
