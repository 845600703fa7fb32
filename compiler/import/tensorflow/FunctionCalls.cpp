// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls, predicates and regions of nodes that call functions.
#include "compiler/import/tensorflow/FunctionCalls.h"

#include "dialects/flow/FrameAnalysis.h"

using namespace mlir;

namespace sluice::import {

SmallVector<Value> argumentsOfCall(Expansion &e) {
  SmallVector<Value> values;
  for (unsigned input : argumentsOf(e.node()))
    values.push_back(e.input(input));
  return values;
}

bool haveResults(Expansion &e) {
  for (const Function *callee : e.graph().callees())
    if (llvm::is_contained(callee->results, Type())) {
      e.unsupported("calls " + quoted(callee->body->name) +
                    ", which calls itself and gives a handle: that is not supported");
      return false;
    }
  return true;
}

SmallVector<Value> tokensOfCall(Expansion &e) {
  SmallVector<Value> tokens(e.tokens());
  auto isOther = [&](Value input) { return !flow::isConstantLike(input) && input != e.input(0); };
  if (e.graph().hasSwitches() && llvm::any_of(e.inputs(), isOther))
    tokens.push_back(e.graph().joined(e.inputs(), e.loc()));
  return tokens;
}

flow::CallOp call(Expansion &e, const Function &callee, ValueRange arguments, ValueRange tokens) {
  SmallVector<Type> types(callee.results);
  types.push_back(e.tokenType());
  SmallVector<Value> operands(arguments.begin(), arguments.end());
  operands.append(tokens.begin(), tokens.end());
  return flow::CallOp::create(e.builder(), e.loc(), types, callee.symbol, operands,
                              callee.hasEffects ? e.builder().getUnitAttr() : UnitAttr(),
                              /*recursion=*/IntegerAttr());
}

void setResults(Expansion &e, ValueRange values) {
  for (auto [slot, value] : llvm::enumerate(values))
    e.result(static_cast<uint32_t>(slot), value);
}

bool anyEffects(Expansion &e) {
  return llvm::any_of(e.graph().callees(), [](const Function *f) { return f->hasEffects; });
}

Value asPredicate(Expansion &e, Value value) {
  auto type = cast<TensorType>(value.getType());
  Type element = type.getElementType();
  if (type.hasRank() && type.getRank() > 0)
    return e.compare<nd::GreaterOp>(e.tensor<nd::SizeOp>(e.builder().getI32Type(), value),
                                    e.int32(0));
  if (element.isInteger(1))
    return value;
  return e.compare<nd::NotEqualOp>(value, e.scalar(element, 0));
}

Block &beginRegion(Expansion &e, Region &region, TypeRange arguments) {
  Block &block = region.emplaceBlock();
  for (Type type : arguments)
    block.addArgument(type, e.loc());
  e.builder().setInsertionPointToEnd(&block);
  return block;
}

} // namespace sluice::import
