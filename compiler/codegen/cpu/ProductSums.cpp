// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products onto a sum, at once or later.
#include "compiler/codegen/cpu/ProductSums.h"

#include "compiler/codegen/cpu/BufferGenerics.h"
#include "compiler/codegen/cpu/Lowerings.h"
#include "compiler/codegen/cpu/MatrixOperand.h"
#include "compiler/codegen/elements/RuntimeCalls.h"
#include "compiler/codegen/plan/RowUpdates.h"
#include "dialects/interfaces/KernelOps.h"
#include "dialects/nd/Nd.h"
#include "runtime/codelet/support.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace sluice::codegen {

static std::string functionFor(Type type, StringRef name) {
  return ("sluice_" + name + "_" + rt::dtypeName(*dtypeOf(type))).str();
}
static Value number(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIntOp::create(b, value, 64);
}
static Value flag(ImplicitLocOpBuilder &b, bool value) {
  return arith::ConstantIntOp::create(b, value, 32);
}

// Whether several such products may make a larger one, of a matrix of known size. What is so small
// that it becomes code of its own is better off alone.
static bool isSmall(nd::MatmulOntoOp product) {
  auto lhs = cast<RankedTensorType>(product.getLhs().getType());
  int64_t rows = lhs.getDimSize(product.getTransposeLhs() ? 0 : 1);
  auto sum = cast<RankedTensorType>(product.getType());
  if (!sum.hasStaticShape() || ShapedType::isDynamic(rows))
    return sum.hasStaticShape();
  return rows < kSluiceProductRows && sum.getNumElements() * rows > kFewProducts;
}

// All products that are added to a carried matrix, also in loops within; false if something else
// happens to it.
static bool collectProducts(flow::WhileOp loop, unsigned position, const FusionPlan &fusion,
                            SmallVectorImpl<nd::MatmulOntoOp> &products) {
  SmallVector<OpOperand *> updates = updatesOf(loop, position, fusion);
  for (OpOperand *update : updates) {
    auto product = dyn_cast<nd::MatmulOntoOp>(update->getOwner());
    auto inner = dyn_cast<flow::WhileOp>(update->getOwner());
    if (inner ? !collectProducts(inner, update->getOperandNumber(), fusion, products)
              : !product || !isSmall(product))
      return false;
    if (product)
      products.push_back(product);
  }
  return !updates.empty();
}

void ProductSums::open(flow::WhileOp loop, unsigned position, Value sum) {
  SmallVector<nd::MatmulOntoOp> products;
  if (!collectProducts(loop, position, emitter_.fusion(), products) ||
      kept_.contains(products.front())) // by a loop around this one
    return;
  auto type = cast<RankedTensorType>(products.front().getType());
  ImplicitLocOpBuilder &b = emitter_.builder();
  int64_t m = type.getDimSize(0), n = type.getDimSize(1);
  Value kept = emitter_.allocateBytes(type.getElementType().isF32() ? sluice_kept_bytes_f32(m, n)
                                                                    : sluice_kept_bytes_f64(m, n));
  LLVM::StoreOp::create(b, number(b, 0), kept);
  open_.push_back({loop, sum, kept});
  for (nd::MatmulOntoOp product : products)
    kept_[product] = kept;
}

void ProductSums::close(flow::WhileOp loop) {
  ImplicitLocOpBuilder &b = emitter_.builder();
  for (const Open &one : open_) {
    if (one.loop != loop)
      continue;
    auto type = cast<MemRefType>(one.sum.getType());
    Value n = number(b, type.getDimSize(1));
    callRuntime(b, functionFor(type.getElementType(), "gemm_kept"),
                {number(b, type.getDimSize(0)), n, emitter_.pointerTo(one.sum), n, one.kept},
                Type());
  }
  llvm::erase_if(open_, [&](const Open &one) { return one.loop == loop; });
}

// Memory for the result, in which the sum is already.
static Value sumToAddTo(nd::MatmulOntoOp op, Emitter &emitter) {
  Value sum = emitter.buffer(op.getSum());
  if (writesInPlace(op, emitter.fusion())) {
    emitter.define(op.getResult(), Held(cast<RankedTensorType>(op.getType()), sum));
    return sum;
  }
  Value to = emitter.destination(op.getResult());
  copyBuffer(emitter.builder(), sum, to);
  return to;
}

// The sum is read where it lies, and nothing has to be copied.
static void emitPacked(nd::MatmulOntoOp op, Emitter &emitter, const MatrixOperand &lhs,
                       Value packed, AffineExpr m, AffineExpr n, AffineExpr k) {
  ImplicitLocOpBuilder &b = emitter.builder();
  MatrixOperand onto = matrixOf(emitter, op.getSum(), /*transposed=*/false, m, n);
  Value to;
  if (onto.transposed || writesInPlace(op, emitter.fusion())) {
    to = onto.buffer = sumToAddTo(op, emitter);
    onto.leading = emitter.dim(n);
  } else {
    to = emitter.destination(op.getResult());
  }
  auto size = [&](AffineExpr dim) { return toI64(b, emitter.dim(dim)); };
  callRuntime(b, functionFor(op.getType(), "gemm_packed"),
              {size(m), size(n), size(k), emitter.pointerTo(lhs.buffer), toI64(b, lhs.leading),
               packed, emitter.pointerTo(onto.buffer), toI64(b, onto.leading),
               emitter.pointerTo(to), size(n)},
              Type());
}

template <> LogicalResult lower(nd::MatmulOntoOp op, Emitter &emitter) {
  ImplicitLocOpBuilder &b = emitter.builder();
  ArrayRef<AffineExpr> result = emitter.shapes().dims(op.getResult());
  AffineExpr k = emitter.shapes().dims(op.getLhs())[op.getTransposeLhs() ? 0 : 1];
  MatrixOperand lhs = matrixOf(emitter, op.getLhs(), op.getTransposeLhs(), result[0], k);
  MatrixOperand rhs = matrixOf(emitter, op.getRhs(), op.getTransposeRhs(), k, result[1]);
  Value kept = emitter.keptFor(op);
  Type element = cast<RankedTensorType>(op.getType()).getElementType();
  auto small = kept ? std::nullopt : smallProduct(result[0], result[1], k, element, rhs);
  if (!small && !kept && !lhs.transposed)
    if (Value packed = packedBeforeLoop(emitter, rhs, op.getTransposeRhs(), element)) {
      emitPacked(op, emitter, lhs, packed, result[0], result[1], k);
      return success();
    }
  Value to = emitter.pointerTo(sumToAddTo(op, emitter));
  if (small) {
    emitSmallProduct(emitter, lhs, rhs, to, *small, /*accumulate=*/true);
    return success();
  }
  auto size = [&](AffineExpr dim) { return toI64(b, emitter.dim(dim)); };
  Value n = size(result[1]);
  callRuntime(b, functionFor(op.getType(), kept ? "gemm_keep" : "gemm"),
              {size(result[0]), n, size(k), emitter.pointerTo(lhs.buffer), toI64(b, lhs.leading),
               flag(b, lhs.transposed), emitter.pointerTo(rhs.buffer), toI64(b, rhs.leading),
               flag(b, rhs.transposed), to, n, kept ? kept : flag(b, true)},
              Type());
  return success();
}

} // namespace sluice::codegen
