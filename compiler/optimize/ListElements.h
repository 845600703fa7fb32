// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes of what lists hold, while shapes of all values are being found out.
#pragma once

#include "compiler/optimize/ListFacts.h"
#include "runtime/memory/shape.h"

namespace sluice::optimize {

class ListElements {
public:
  explicit ListElements(flow::TokenGraph graph);
  // Of these ops, which are all that will be visited.
  void findReaders(llvm::ArrayRef<mlir::Operation *> ops);

  // Whether an op takes elements from a list.
  static bool isRead(mlir::Operation *op);
  // A value of this type is put into the list; null is one that nothing has reached yet. Returns
  // whether elements have become vaguer; then all readers have to look again.
  bool write(const list::ElementUse &use, mlir::Type value);
  // Elements may be zeros of what the op declares. Returns the same.
  bool declare(mlir::Operation *op);
  llvm::ArrayRef<mlir::Operation *> readersOf(mlir::Operation *op) const;
  // What an op takes; null as long as nothing has been put there.
  mlir::Type read(mlir::Operation *op, const list::ElementUse &use) const;

  // Lists of which more is known have types that say so. Returns the number of these.
  unsigned refine();

private:
  bool learn(unsigned number, const rt::Shape &shape);

  list::ListClasses classes_;
  ListThreads threads_;
  std::vector<std::optional<rt::Shape>> shapes_; // by class; of an element
  std::vector<llvm::SmallVector<mlir::Operation *>> readers_;
};

} // namespace sluice::optimize
