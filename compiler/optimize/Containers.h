// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which handles of one graph may stand for the same array or stack.
//
// Handles that flow into one another, through loops and branches as well, form a *container*. An
// array and its gradient arrays are one container, since their elements have the same shapes. All
// that is ever written to a container is written through its handles, so what is read from it has
// one of the shapes written: unless a handle comes from or goes to where the graph does not show.
#pragma once

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <vector>

namespace sluice::optimize {

class Containers {
public:
  // All ops of a graph.
  explicit Containers(llvm::ArrayRef<mlir::Operation *> ops);

  // Nothing for containers to which others may write as well. Numbers are less than count().
  std::optional<unsigned> containerOf(mlir::Value handle) const;
  unsigned count() const { return static_cast<unsigned>(open_.size()); }

private:
  llvm::DenseMap<mlir::Value, unsigned> numbers_;
  std::vector<bool> open_; // by container: others may write to it
};

} // namespace sluice::optimize
