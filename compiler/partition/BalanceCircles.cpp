// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graphs of all ranks taken as one, where a recv waits for its send: no cycle but through
// next_iteration. Iterative depth-first search.
#include "compiler/partition/Balance.h"

using namespace mlir;

namespace sluice::partition {

namespace {

class CircleSearch {
public:
  explicit CircleSearch(const Parts &parts) : parts_(parts) {}

  // A recv on a cycle, or null. A cycle without one would lie in one graph, whose verifier looks.
  Operation *find() {
    for (const Wire &wire : parts_.wires()) {
      enter(wire.recv);
      while (!path_.empty()) {
        auto &[op, next] = path_.back();
        unsigned waits = op->getNumOperands() + isa<wire::RecvOp>(op);
        if (next == waits) {
          isOpen_[op] = false;
          path_.pop_back();
        } else if (Operation *closed = enter(waitsFor(op, next++))) {
          return closed;
        }
      }
    }
    return nullptr;
  }

private:
  Operation *waitsFor(Operation *op, unsigned index) {
    if (index < op->getNumOperands())
      return op->getOperand(index).getDefiningOp();
    return parts_.wires()[cast<wire::RecvOp>(op).getEdge()].send;
  }

  // Goes on from an op unless that has been done. Gives a recv if it closes a cycle.
  Operation *enter(Operation *op) {
    if (isa<flow::NextIterationOp>(op))
      return nullptr;
    auto [it, isNew] = isOpen_.try_emplace(op, true);
    if (isNew)
      path_.push_back({op, 0});
    else if (it->second)
      return recvOnPath();
    return nullptr;
  }

  Operation *recvOnPath() {
    for (auto &[op, next] : llvm::reverse(path_))
      if (isa<wire::RecvOp>(op))
        return op;
    return path_.back().first;
  }

  const Parts &parts_;
  llvm::DenseMap<Operation *, bool> isOpen_;           // on the path now
  SmallVector<std::pair<Operation *, unsigned>> path_; // an op, and what it waits for next
};

} // namespace

LogicalResult checkCircles(const Parts &parts) {
  if (Operation *op = CircleSearch(parts).find())
    return op->emitOpError("edge ") << cast<wire::RecvOp>(op).getEdge()
                                    << ": expected ranks not to wait for each other in a circle";
  return success();
}

} // namespace sluice::partition
