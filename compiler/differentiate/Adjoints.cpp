// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of derivatives.
#include "compiler/differentiate/Adjoints.h"

#include "dialects/flow/Flow.h"
#include "dialects/list/List.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::differentiate {

Value sumOf(OpBuilder &builder, Location loc, Value a, Value b) {
  if (!isa<TensorType>(a.getType()))
    return list::AddOp::create(builder, loc, a.getType(), a, b);
  // Both have the shape of what they belong to, so the type that says more is true of the sum.
  auto says = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type ? 1 + type.getRank() - type.getNumDynamicDims() : 0;
  };
  return nd::AddOp::create(builder, loc, (says(b) > says(a) ? b : a).getType(), a, b);
}

Value Adjoints::ungated(Value value) {
  while (auto gate = value.getDefiningOp<flow::GateOp>())
    value = gate.getValue();
  return value;
}

void Adjoints::add(OpBuilder &builder, Location loc, Value value, Value part) {
  Value &known = known_[ungated(value)];
  known = known ? sumOf(builder, loc, known, part) : part;
}

} // namespace sluice::differentiate
