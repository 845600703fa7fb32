// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links of chains, where a part is a product that nothing else uses.
#include "compiler/differentiate/LoopSums.h"

#include "compiler/differentiate/Adjoints.h"
#include "compiler/differentiate/Segments.h"

#include "dialects/interfaces/Gradient.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::differentiate {

LoopSums::LoopSums(Products products, ArrayRef<Value> parts) : products_(products) {
  for (Value part : parts)
    ++count_[part];
}

// Sums of 16-bit floats are rounded after each product, so their chains end there.
static bool hasLongChains(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 2 &&
         (tensor.getElementType().isF32() || tensor.getElementType().isF64());
}

bool LoopSums::isLink(Value part) const {
  auto product = part.getDefiningOp<nd::MatmulOp>();
  return product && part.use_empty() && count_.lookup(part) <= 1 && hasLongChains(part.getType()) &&
         hasLongChains(product.getLhs().getType()) && hasLongChains(product.getRhs().getType()) &&
         !product.getAdjointLhs() && !product.getAdjointRhs();
}

// Whether nothing is in what the mirror of an inner loop begins to sum up from.
static bool isZero(Value start) {
  if (auto fill = start.getDefiningOp<nd::FillOp>())
    start = fill.getValue();
  auto constant = start.getDefiningOp<nd::ConstantOp>();
  return start.getDefiningOp<list::ZerosLikeOp>() ||
         (constant &&
          constant.getValue() == splatOf(cast<RankedTensorType>(constant.getValue().getType()), 0));
}

// Lets an inner mirror, which gives a sum of its own, go on with this one: so do segments of a
// loop, which must not show, and chains.
bool LoopSums::goesOn(Value sum, Value part) const {
  auto inner = part.getDefiningOp<flow::WhileOp>();
  if (!inner || !part.use_empty() || count_.lookup(part) > 1)
    return false;
  unsigned number = cast<OpResult>(part).getResultNumber();
  Operation *made = sum.getDefiningOp();
  Value next = inner.getBody().front().getTerminator()->getOperand(number);
  return (isSegmentMirror(inner) ||
          (products_ == Products::kJoined && next.getDefiningOp<nd::MatmulOntoOp>())) &&
         isZero(inner.getInits()[number]) &&
         (!made || (made->getBlock() == inner->getBlock() && made->isBeforeInBlock(inner)));
}

Value LoopSums::add(OpBuilder &b, Location loc, Value sum, Value part) {
  if (goesOn(sum, part)) {
    // A mirror forwards all that it carries as it is.
    auto inner = part.getDefiningOp<flow::WhileOp>();
    inner.getInitsMutable()[cast<OpResult>(part).getResultNumber()].set(sum);
    return part;
  }
  if (products_ == Products::kEach)
    return sumOf(b, loc, sum, part);
  if (auto two = part.getDefiningOp<nd::AddOp>();
      two && part.use_empty() && count_.lookup(part) <= 1) {
    // Both are used by this sum, which goes if one of them is a link.
    Value lhs = two.getLhs(), rhs = two.getRhs();
    auto canBeLink = [&](Value value) {
      return value.hasOneUse() && count_.lookup(value) == 0 && hasLongChains(value.getType()) &&
             value.getDefiningOp<nd::MatmulOp>();
    };
    if (two.getType() == lhs.getType() && two.getType() == rhs.getType() &&
        (canBeLink(lhs) || canBeLink(rhs))) {
      two->erase();
      sum = add(b, loc, sum, lhs);
      return add(b, loc, sum, rhs);
    }
  }
  if (!isLink(part))
    return sumOf(b, loc, sum, part);
  auto product = part.getDefiningOp<nd::MatmulOp>();
  joined_.push_back(part);
  auto link = nd::MatmulOntoOp::create(b, product.getLoc(), part.getType(), sum, product.getLhs(),
                                       product.getRhs(), product.getTransposeLhs(),
                                       product.getTransposeRhs());
  return link.getResult();
}

} // namespace sluice::differentiate
