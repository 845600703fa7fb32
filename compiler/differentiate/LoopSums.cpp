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

static bool hasLongChains(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 2 &&
         (tensor.getElementType().isF32() || tensor.getElementType().isF64());
}

// Whether nothing else uses it.
bool LoopSums::isAlone(Value part) const { return part.use_empty() && count_.lookup(part) <= 1; }

// Adds to the rows that have a part, where it is a sum of rows by their numbers; else null.
Value LoopSums::addRows(OpBuilder &b, Location loc, Value sum, Value part) {
  auto rows = part.getDefiningOp<nd::UnsortedSegmentSumOp>();
  auto ids = rows ? dyn_cast<RankedTensorType>(rows.getIds().getType()) : nullptr;
  if (!ids || !isAlone(part) || !isa<RankedTensorType>(sum.getType()))
    return {};
  SmallVector<int64_t> dims(ids.getShape());
  dims.push_back(1);
  auto number = RankedTensorType::get({}, b.getI32Type());
  Value last = nd::ConstantOp::create(b, loc, number, DenseElementsAttr::get(number, int32_t{-1}));
  Value points = nd::ExpandDimsOp::create(b, loc, RankedTensorType::get(dims, ids.getElementType()),
                                          rows.getIds(), last);
  // Numbers out of range fail here as well, as the loop that chose by them may have been pruned.
  Value all = nd::UpdatePointsOp::create(b, rows.getLoc(), sum.getType(), sum, points,
                                         rows.getData(), b.getStringAttr("add"),
                                         /*ignore_bad_indices=*/b.getBoolAttr(false));
  rows.erase();
  return all;
}

bool canBeLink(nd::MatmulOp product) {
  return hasLongChains(product.getType()) && hasLongChains(product.getLhs().getType()) &&
         hasLongChains(product.getRhs().getType()) && !product.getAdjointLhs() &&
         !product.getAdjointRhs();
}

bool LoopSums::isLink(Value part) const {
  auto product = part.getDefiningOp<nd::MatmulOp>();
  return product && isAlone(part) && canBeLink(product);
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

// Whether the value is the argument with more in some of its rows.
static bool onlyAddsRows(Value value, Value argument) {
  auto update = value.getDefiningOp<nd::UpdatePointsOp>();
  for (; update && update.getHow() == "add"; update = value.getDefiningOp<nd::UpdatePointsOp>()) {
    value = update.getInput();
    if (value == argument)
      return true;
  }
  return false;
}

// Lets an inner mirror, which gives a sum of its own, go on with this one: so do segments of a
// loop, which must not show, and chains.
bool LoopSums::goesOn(Value sum, Value part) const {
  auto inner = part.getDefiningOp<flow::WhileOp>();
  if (!inner || !isAlone(part))
    return false;
  unsigned number = cast<OpResult>(part).getResultNumber();
  Operation *made = sum.getDefiningOp();
  Value next = inner.getBody().front().getTerminator()->getOperand(number);
  return (isSegmentMirror(inner) ||
          (products_ == Products::kJoined && next.getDefiningOp<nd::MatmulOntoOp>()) ||
          onlyAddsRows(next, inner.getBody().getArgument(number))) &&
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
  if (Value all = addRows(b, loc, sum, part))
    return all;
  if (products_ == Products::kEach)
    return sumOf(b, loc, sum, part);
  if (auto two = part.getDefiningOp<nd::AddOp>(); two && isAlone(part)) {
    // Both are used by this sum, which goes if one of them is a link.
    Value lhs = two.getLhs(), rhs = two.getRhs();
    auto isProduct = [&](Value value) {
      return value.hasOneUse() && count_.lookup(value) == 0 && hasLongChains(value.getType()) &&
             value.getDefiningOp<nd::MatmulOp>();
    };
    if (two.getType() == lhs.getType() && two.getType() == rhs.getType() &&
        (isProduct(lhs) || isProduct(rhs))) {
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
