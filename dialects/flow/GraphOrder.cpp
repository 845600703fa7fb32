// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An iterative depth-first walk: chains of 100,000 ops are normal.
#include "dialects/flow/GraphOrder.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace sluice::flow {

std::vector<Operation *> operandsFirst(TokenGraph graph) {
  std::vector<Operation *> order;
  DenseSet<Operation *> seen;
  SmallVector<std::pair<Operation *, unsigned>> path;
  for (Operation &root : graph.getBody().front()) {
    if (!seen.insert(&root).second)
      continue;
    path.push_back({&root, 0});
    while (!path.empty()) {
      auto &[op, next] = path.back();
      if (next == op->getNumOperands()) {
        order.push_back(op);
        path.pop_back();
        continue;
      }
      Operation *producer = op->getOperand(next++).getDefiningOp();
      if (producer && !isa<NextIterationOp>(producer) && seen.insert(producer).second)
        path.push_back({producer, 0});
    }
  }
  return order;
}

} // namespace sluice::flow
