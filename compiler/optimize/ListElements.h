// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lists hold, while shapes of all values are being found out.
//
// A list outlives iterations, so of what is put there, only such names are kept as are the same all
// through a call.
#pragma once

#include "compiler/optimize/KnownElements.h"
#include "compiler/optimize/ListFacts.h"

namespace sluice::optimize {

class ListElements {
public:
  using Fact = ElementRules::Fact;

  ListElements(flow::TokenGraph graph, const DimNames &names);
  // Of these ops, which are all that will be visited.
  void findReaders(llvm::ArrayRef<mlir::Operation *> ops);

  // Whether an op takes elements from a list.
  static bool isRead(mlir::Operation *op);
  // A value is put into the list of which this is known; null if nothing has reached it yet.
  // Returns whether elements have become vaguer; then all readers have to look again.
  bool write(const list::ElementUse &use, const Fact *value);
  // Elements may be zeros of what the op declares. Returns the same.
  bool declare(mlir::Operation *op);
  llvm::ArrayRef<mlir::Operation *> readersOf(mlir::Operation *op) const;
  // What an op takes; nothing as long as nothing has been put there.
  std::optional<Fact> read(mlir::Operation *op, const list::ElementUse &use) const;
  // See ListFacts.
  mlir::Operation *makerOf(mlir::Value list) const { return threads_.factsOf(list).maker; }
  // Of an element, as far as it is known.
  rt::Shape shapeOf(mlir::Value list) const;

  // Lists of which more is known have types that say so. Returns the number of these.
  unsigned refine();

private:
  bool learn(unsigned number, Fact fact);

  list::ListClasses classes_;
  ListThreads threads_;
  const DimNames &names_;
  std::vector<std::optional<Fact>> facts_; // by class; of an element
  std::vector<llvm::SmallVector<mlir::Operation *>> readers_;
};

} // namespace sluice::optimize
