// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that a mirror reads again in place of saving what was read.
#include "compiler/differentiate/Mirror.h"

#include "dialects/interfaces/NodeName.h"
#include "dialects/state/State.h"

using namespace mlir;

namespace sluice::differentiate {

static bool isHandle(Value value) {
  return isa<state::RefType, state::ResourceType>(value.getType());
}

// All that comes after the request, in its block.
static llvm::DenseSet<Operation *> opsBehind(flow::GradientOp request) {
  llvm::DenseSet<Operation *> behind;
  SmallVector<Operation *> open{request};
  while (!open.empty())
    for (Operation *user : open.pop_back_val()->getUsers())
      if (Operation *op = request->getBlock()->findAncestorOpInBlock(*user);
          op && behind.insert(op).second)
        open.push_back(op);
  return behind;
}

// Whether it may change the variables among its operands.
static bool changesVariables(Operation *op) {
  if (auto call = dyn_cast<flow::CallOp>(op))
    return call.getEffects();
  return op->hasTrait<HasEffect>() && !op->hasTrait<OnlyReads>();
}

Mirror::Mirror(Activity &activity, flow::TokenGraph graph, flow::GradientOp request,
               const Choices &choices)
    : activity_(activity), request_(request), choices_(choices) {
  graph.walk([&](flow::SwitchOp) { hasSwitches_ = true; });
  if (!request)
    return;
  llvm::DenseSet<Operation *> behind = opsBehind(request);
  auto look = [&](Operation *op) {
    if (!changesVariables(op) || behind.contains(request->getBlock()->findAncestorOpInBlock(*op)))
      return;
    for (Value operand : op->getOperands())
      if (isHandle(operand))
        changed_.insert(variableOf(operand));
  };
  graph.walk(look);
  // Functions may have handles of their own.
  for (auto function : graph->getParentOfType<ModuleOp>().getOps<flow::FuncOp>())
    function.walk(look);
}

bool Mirror::canReadAgain(Operation *op) const {
  auto read = dyn_cast<state::ReadOp>(op);
  if (!read || !request_)
    return false;
  Value source = sourceOf(read.getVariable());
  return source.getParentBlock() == request_->getBlock() && !changed_.contains(variableOf(source));
}

Value Mirror::readAgain(Operation *op) {
  auto read = cast<state::ReadOp>(op);
  Value source = sourceOf(read.getVariable());
  Value &known = readAgain_[variableOf(source)];
  if (!known) {
    OpBuilder b(request_);
    b.setInsertionPointAfterValue(source); // ahead of all mirrors: in a region that counts
    auto again = state::ReadOp::create(b, op->getLoc(), read->getResultTypes(), ValueRange(source));
    known = again.getValue();
    whenRead_.push_back(again.getDone());
  }
  return known;
}

} // namespace sluice::differentiate
