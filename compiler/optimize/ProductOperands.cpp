// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product reads a matrix by columns as fast as by rows, so nobody has to write it anew.
#include "compiler/optimize/ProductOperands.h"

#include "compiler/optimize/RowsOfSlices.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace sluice::optimize {

namespace {

struct Operand {
  Value value;
  SmallVector<int64_t> order; // of the value's dims; empty if that is theirs
  bool isTransposed;
};

bool isPermutation(ArrayRef<int64_t> order) {
  SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  return llvm::equal(sorted, llvm::seq<int64_t>(0, order.size()));
}

class Product {
public:
  Product(nd::MatmulOp op, const RegionTypes &types) : op_(op), types_(types) {}

  Value rewrite() {
    if (op_.getAdjointLhs() || op_.getAdjointRhs() || !isSureToFit())
      return {};
    Operand lhs{op_.getLhs(), {}, op_.getTransposeLhs()},
        rhs{op_.getRhs(), {}, op_.getTransposeRhs()};
    bool changes = untranspose(lhs);
    changes |= untranspose(rhs);
    if (!changes)
      return {};
    ImplicitLocOpBuilder b(op_.getLoc(), op_);
    return nd::MatmulOp::create(b, op_.getResult().getType(), make(b, lhs), make(b, rhs),
                                lhs.isTransposed, rhs.isTransposed, false, false);
  }

private:
  std::optional<SmallVector<AffineExpr>> dims(Value value) const {
    const auto *fact = types_.factOf(value);
    if (!fact || !fact->shape.hasRank() || fact->shape.rank() < 2)
      return std::nullopt;
    SmallVector<AffineExpr> dims;
    for (int i = 0; i < fact->shape.rank(); ++i)
      dims.push_back(types_.dimOf(fact->shape.dim(i)));
    return dims;
  }

  bool isSureToFit() {
    auto lhs = dims(op_.getLhs()), rhs = dims(op_.getRhs());
    if (!lhs || !rhs || lhs->size() != rhs->size())
      return false;
    size_t matrices = lhs->size() - 2;
    AffineExpr left = (*lhs)[op_.getTransposeLhs() ? matrices : matrices + 1],
               right = (*rhs)[op_.getTransposeRhs() ? matrices + 1 : matrices];
    auto areEqual = [](AffineExpr a, AffineExpr b) { return a && a == b; };
    return areEqual(left, right) && llvm::all_of(llvm::seq(matrices), [&](size_t i) {
             return areEqual((*lhs)[i], (*rhs)[i]);
           });
  }

  // But a loop's transposed weights are made in front of it, once.
  bool untranspose(Operand &operand) {
    auto transpose = operand.value.getDefiningOp<nd::TransposeOp>();
    if (!transpose || !transpose->hasOneUse() || transpose.getConjugate() ||
        isInvariant(transpose.getInput(), op_))
      return false;
    const auto *fact = types_.factOf(transpose.getPermutation());
    auto type = dyn_cast<RankedTensorType>(transpose.getInput().getType());
    auto order = fact && fact->elements ? numbersOf(*fact->elements) : std::nullopt;
    if (!type || !order || static_cast<size_t>(type.getRank()) != order->size() ||
        !isPermutation(*order))
      return false;
    size_t rank = order->size();
    if ((*order)[rank - 2] != static_cast<int64_t>(rank) - 1)
      return false; // rows stay rows
    std::swap((*order)[rank - 2], (*order)[rank - 1]);
    operand = {transpose.getInput(), std::move(*order), !operand.isTransposed};
    return true;
  }

  static Value make(ImplicitLocOpBuilder &b, const Operand &operand) {
    if (llvm::equal(operand.order, llvm::seq<int64_t>(0, operand.order.size())))
      return operand.value;
    auto type = cast<RankedTensorType>(operand.value.getType());
    SmallVector<int64_t> sizes =
        llvm::map_to_vector(operand.order, [&](int64_t dim) { return type.getDimSize(dim); });
    auto vector = RankedTensorType::get({type.getRank()}, b.getI64Type());
    Value order =
        nd::ConstantOp::create(b, vector, DenseElementsAttr::get<int64_t>(vector, operand.order));
    return nd::TransposeOp::create(b, type.clone(sizes), operand.value, order,
                                   /*conjugate=*/false);
  }

  nd::MatmulOp op_;
  const RegionTypes &types_;
};

} // namespace

Value productOfRows(nd::MatmulOp product, const RegionTypes &types) {
  return Product(product, types).rewrite();
}

} // namespace sluice::optimize
