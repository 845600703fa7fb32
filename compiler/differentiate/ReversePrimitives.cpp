// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches without structure: the derivative of a switch is a merge, and that of a merge a switch.
//
// Derivatives are dead where the values are that they belong to.
#include "compiler/differentiate/Reverse.h"

#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::differentiate {

static Type tokenType(OpBuilder &b) { return flow::TokenType::get(b.getContext()); }

// What is not known to lead to a y has a derivative of zeros, on its own way.
static Value derivativeOfWay(OpBuilder &b, Value way, Adjoints &adjoints) {
  if (Value known = adjoints.of(way))
    return known;
  Location loc = way.getLoc();
  Value zero = zeroDerivative(b, loc, way);
  Value arrived = flow::AfterOp::create(b, loc, tokenType(b), way);
  return flow::GateOp::create(b, loc, zero.getType(), zero, arrived);
}

void Reverser::reverseSwitch(flow::SwitchOp split, OpBuilder &b, Adjoints &adjoints) {
  Location loc = split.getLoc();
  Value data = split.getData();
  if (!activity_.isActive(data))
    return;
  SmallVector<Value> ways{derivativeOfWay(b, split.getOnFalse(), adjoints),
                          derivativeOfWay(b, split.getOnTrue(), adjoints)};
  auto index = RankedTensorType::get({}, b.getI32Type());
  auto merge = flow::MergeOp::create(
      b, loc, TypeRange{derivativeType(data.getType()), index, tokenType(b)}, ways);
  adjoints.add(b, loc, data, merge.getValue());
}

// Each value gets the derivative if it was the one that was taken.
void Reverser::reverseMerge(flow::MergeOp merge, OpBuilder &b, Adjoints &adjoints) {
  Location loc = merge.getLoc();
  Value part = adjoints.of(merge.getValue());
  auto number = RankedTensorType::get({}, b.getI32Type());
  auto isTaken = RankedTensorType::get({}, b.getI1Type());
  for (auto [i, value] : llvm::enumerate(merge.getValues())) {
    if (!activity_.isActive(value))
      continue;
    Value position = nd::ConstantOp::create(
        b, loc, number, DenseElementsAttr::get(number, static_cast<int32_t>(i)));
    Value predicate = nd::EqualOp::create(b, loc, isTaken, merge.getIndex(), position);
    auto split = flow::SwitchOp::create(
        b, loc, TypeRange{part.getType(), part.getType(), tokenType(b)}, part, predicate);
    adjoints.add(b, loc, value, split.getOnTrue());
  }
}

} // namespace sluice::differentiate
