// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that a fixpoint has to look at again. Each is in the queue once, and the first that came is
// the next, so an op with many operands is looked at once after many of them have changed.
#pragma once

#include "mlir/IR/Operation.h"

#include "llvm/ADT/DenseSet.h"

#include <deque>

namespace sluice::partition {

class OpQueue {
public:
  bool empty() const { return queue_.empty(); }
  void push(mlir::Operation *op) {
    if (waiting_.insert(op).second)
      queue_.push_back(op);
  }
  void pushUsersOf(mlir::Value value) {
    for (mlir::Operation *user : value.getUsers())
      push(user);
  }
  mlir::Operation *pop() {
    mlir::Operation *op = queue_.front();
    queue_.pop_front();
    waiting_.erase(op);
    return op;
  }

private:
  std::deque<mlir::Operation *> queue_;
  llvm::DenseSet<mlir::Operation *> waiting_;
};

} // namespace sluice::partition
