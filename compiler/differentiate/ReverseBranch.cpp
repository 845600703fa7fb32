// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mirror of a branch: a branch on the same predicate. Its results are derivatives of captures.
#include "compiler/differentiate/Reverse.h"

using namespace mlir;

namespace sluice::differentiate {

namespace {

// The derivatives of one way, before it is known which of them the other way has.
struct Way {
  Region region; // its arguments are the derivatives of the branch's results
  SmallVector<Value> ofCaptures;
};

} // namespace

LogicalResult Reverser::reverseBranch(flow::CondOp branch, OpBuilder &b, Adjoints &adjoints) {
  Location loc = branch.getLoc();
  SmallVector<unsigned> reached;
  SmallVector<Value> incoming;
  for (OpResult result : branch->getResults())
    if (activity_.isActive(result) && adjoints.of(result)) {
      reached.push_back(result.getResultNumber());
      incoming.push_back(adjoints.of(result));
    }
  Way ways[2];
  for (auto [way, region] : llvm::zip(ways, branch->getRegions())) {
    Block &block = way.region.emplaceBlock();
    OpBuilder inside(b.getContext());
    inside.setInsertionPointToStart(&block);
    Adjoints inner;
    for (auto [number, value] : llvm::zip(reached, incoming)) {
      Value given = region.front().getTerminator()->getOperand(number);
      Value argument = block.addArgument(value.getType(), loc);
      if (activity_.isActive(given))
        inner.add(inside, loc, given, argument);
    }
    if (failed(reverse(region.front(), inside, inner)))
      return failure();
    for (Value argument : region.getArguments())
      way.ofCaptures.push_back(activity_.isActive(argument) ? inner.of(argument) : Value());
  }

  SmallVector<unsigned> captured;
  SmallVector<Type> types;
  for (auto [i, capture] : llvm::enumerate(branch.getCaptures()))
    if (ways[0].ofCaptures[i] || ways[1].ofCaptures[i]) {
      captured.push_back(static_cast<unsigned>(i));
      types.push_back(derivativeType(capture.getType()));
    }
  if (captured.empty())
    return success();
  for (auto [way, region] : llvm::zip(ways, branch->getRegions())) {
    OpBuilder inside(b.getContext());
    inside.setInsertionPointToEnd(&way.region.front());
    SmallVector<Value> given;
    for (unsigned i : captured) {
      Value &found = way.ofCaptures[i];
      given.push_back(found ? found : zeroDerivative(inside, loc, region.getArgument(i)));
    }
    flow::YieldOp::create(inside, loc, given);
  }
  auto mirror = flow::CondOp::create(b, loc, types, branch.getPredicate(), incoming);
  for (auto [way, region] : llvm::zip(ways, mirror->getRegions()))
    region.takeBody(way.region);
  mirror_.connect(branch, mirror);
  for (auto [number, i] : llvm::enumerate(captured))
    if (Value capture = branch.getCaptures()[i]; activity_.isActive(capture))
      adjoints.add(b, loc, capture, mirror.getResult(static_cast<unsigned>(number)));
  return success();
}

} // namespace sluice::differentiate
