// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By position, as the definitions of the ops say.
#include "dialects/flow/HandedOn.h"

using namespace mlir;

namespace sluice::flow {

bool visitHandedOn(Operation *op, llvm::function_ref<void(Value from, Value to)> visit) {
  auto visitAll = [&](ValueRange from, ValueRange to) {
    for (auto [one, other] : llvm::zip(from, to))
      visit(one, other);
  };
  if (auto branch = dyn_cast<CondOp>(op)) {
    for (Region &region : branch->getRegions()) {
      visitAll(branch.getCaptures(), region.getArguments());
      visitAll(region.front().getTerminator()->getOperands(), branch.getResults());
    }
    return true;
  }
  auto loop = dyn_cast<WhileOp>(op);
  if (!loop)
    return false;
  Block &before = loop.getBefore().front(), &body = loop.getBody().front();
  auto condition = cast<ConditionOp>(before.getTerminator());
  unsigned inits = loop.getInits().size(), results = loop.getNumResults();
  visitAll(loop->getOperands(), before.getArguments());
  visitAll(body.getTerminator()->getOperands(), before.getArguments().take_front(inits));
  visitAll(condition.getForwarded(), body.getArguments().take_front(results));
  visitAll(condition.getForwarded(), loop.getResults());
  visitAll(loop.getCaptures(), body.getArguments().drop_front(results));
  return true;
}

} // namespace sluice::flow
