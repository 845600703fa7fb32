// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of so few elements that a call would take longer than its sums.
#include "compiler/codegen/cpu/MatrixOperand.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace sluice::codegen {

// A row of the result is in registers.
static constexpr int64_t kShortRow = 32;

namespace {

class SmallProduct {
public:
  SmallProduct(Emitter &emitter, const MatrixOperand &lhs, const MatrixOperand &rhs, Value c,
               ProductSizes sizes, Type element)
      : b_(emitter.builder()), lhs_(lhs), rhs_(rhs), a_(emitter.pointerTo(lhs.buffer)),
        right_(emitter.pointerTo(rhs.buffer)), c_(c), sizes_(sizes), element_(element),
        row_(VectorType::get({sizes.n}, element)) {}

  // Each row is a chain over rising k, as the kernel's: 0, or what is there, then fused sums.
  void emit(bool accumulate) {
    Value zero = index(0), one = index(1);
    auto rows = scf::ForOp::create(b_, zero, index(sizes_.m), one);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(rows.getBody());
    Value i = rows.getInductionVar();
    Value to = at(c_, arith::MulIOp::create(b_, i, index(sizes_.n)));
    Value begin = accumulate ? load(row_, to)
                             : arith::ConstantOp::create(b_, b_.getZeroAttr(row_)).getResult();
    auto sums = scf::ForOp::create(b_, zero, index(sizes_.k), one, begin,
                                   [&](OpBuilder &, Location, Value k, ValueRange chains) {
                                     Value left = load(element_, elementOf(a_, lhs_, i, k));
                                     Value right = load(row_, elementOf(right_, rhs_, k, zero));
                                     Value factor = vector::BroadcastOp::create(b_, row_, left);
                                     Value next = LLVM::FMAOp::create(b_, row_, factor, right,
                                                                      chains.front());
                                     scf::YieldOp::create(b_, next);
                                   });
    LLVM::StoreOp::create(b_, sums.getResult(0), to, alignment());
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b_, value); }
  unsigned alignment() { return element_.getIntOrFloatBitWidth() / 8; }
  Value load(Type type, Value from) { return LLVM::LoadOp::create(b_, type, from, alignment()); }
  Value at(Value first, Value offset) {
    return LLVM::GEPOp::create(b_, first.getType(), element_, first,
                               ArrayRef<LLVM::GEPArg>{toI64(b_, offset)},
                               LLVM::GEPNoWrapFlags::inbounds);
  }
  Value elementOf(Value first, const MatrixOperand &matrix, Value row, Value column) {
    if (matrix.transposed)
      std::swap(row, column);
    Value offset = arith::MulIOp::create(b_, row, matrix.leading);
    return at(first, arith::AddIOp::create(b_, offset, column));
  }

  ImplicitLocOpBuilder &b_;
  const MatrixOperand &lhs_, &rhs_;
  Value a_, right_, c_;
  ProductSizes sizes_;
  Type element_;
  VectorType row_;
};

} // namespace

std::optional<ProductSizes> smallProduct(AffineExpr m, AffineExpr n, AffineExpr k, Type element,
                                         const MatrixOperand &rhs) {
  auto isKnown = [](AffineExpr dim) { return isa<AffineConstantExpr>(dim); };
  if (!isKnown(m) || !isKnown(n) || !isKnown(k) || rhs.transposed ||
      !(element.isF32() || element.isF64()))
    return std::nullopt;
  auto size = [](AffineExpr dim) { return cast<AffineConstantExpr>(dim).getValue(); };
  ProductSizes sizes{size(m), size(n), size(k)};
  bool isSmall = sizes.n > 0 && sizes.n <= kShortRow && sizes.m <= kFewProducts &&
                 sizes.k <= kFewProducts && sizes.m * sizes.n * sizes.k <= kFewProducts;
  return isSmall ? std::optional(sizes) : std::nullopt;
}

void emitSmallProduct(Emitter &emitter, const MatrixOperand &lhs, const MatrixOperand &rhs,
                      Value result, ProductSizes sizes, bool accumulate) {
  Type element = cast<MemRefType>(lhs.buffer.getType()).getElementType();
  SmallProduct(emitter, lhs, rhs, result, sizes, element).emit(accumulate);
}

} // namespace sluice::codegen
