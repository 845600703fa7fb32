// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mirror of a call: a call of the function's mirror, with what the call has saved.
#include "compiler/differentiate/MirroredFunctions.h"
#include "compiler/differentiate/RegionMirror.h"
#include "compiler/differentiate/Reverse.h"

using namespace mlir;

namespace sluice::differentiate {

void Mirror::connect(flow::FuncOp function, flow::FuncOp mirror, Value saved,
                     ArgumentOf argumentOf) {
  RegionMirror region(*this, function, mirror, argumentOf);
  region.decide();
  auto gives = cast<flow::ReturnOp>(function.getReturn());
  gives->insertOperands(numValues(function) - 1, region.pack()); // ahead of the token
  region.unpack(saved);
  region.bringIn();
}

flow::CallOp Mirror::saveMore(flow::CallOp call, flow::FuncOp saves) {
  OpBuilder b(call);
  SmallVector<Type> types(call->getResultTypes());
  types.insert(types.end() - 1, saves.getFunctionType().getResult(numValues(saves) - 1));
  auto more =
      flow::CallOp::create(b, call.getLoc(), types, FlatSymbolRefAttr::get(saves),
                           call.getOperands_(), call.getEffectsAttr(), call.getRecursionAttr());
  SmallVector<Value> old(call->getResults()), now(more.getValues().drop_back());
  now.push_back(more.getDone());
  replace(old, now);
  call->replaceAllUsesWith(now);
  call.erase();
  return more;
}

LogicalResult Reverser::reverseCall(flow::CallOp call, OpBuilder &b, Adjoints &adjoints) {
  Location loc = call.getLoc();
  Bits wanted, reached;
  SmallVector<Value> operands;
  for (Value argument : call.getArguments())
    wanted.push_back(activity_.isActive(argument));
  SmallVector<Value> incoming;
  for (Value result : call.getValues()) {
    reached.push_back(activity_.isActive(result) && adjoints.of(result));
    if (reached.back())
      incoming.push_back(adjoints.of(result));
  }
  MirroredFunction *mirrored = functions_.find(functions_.calls().calleeOf(call), wanted, reached);
  if (!mirrored)
    return failure();
  if (llvm::none_of(mirrored->given, [](bool isGiven) { return isGiven; }))
    return success();
  call = mirror_.saveMore(call, mirrored->saves);
  for (auto [argument, isUsed] : llvm::zip_equal(call.getArguments(), mirrored->used))
    if (isUsed)
      operands.push_back(argument);
  llvm::append_range(operands, incoming);
  operands.push_back(call.getValues().back());
  SmallVector<Type> types(mirrored->mirror.getFunctionType().getResults());
  types.push_back(flow::TokenType::get(b.getContext()));
  auto back =
      flow::CallOp::create(b, loc, types, FlatSymbolRefAttr::get(mirrored->mirror), operands,
                           /*effects=*/UnitAttr(), call.getRecursionAttr());
  unsigned next = 0;
  for (auto [argument, isGiven] : llvm::zip_equal(call.getArguments(), mirrored->given))
    if (isGiven)
      adjoints.add(b, loc, argument, back.getValues()[next++]);
  return success();
}

} // namespace sluice::differentiate
