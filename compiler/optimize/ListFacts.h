// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is true of all lists of a thread, whoever makes them.
#pragma once

#include "dialects/list/ListClasses.h"

namespace sluice::optimize {

struct ListFacts {
  // Whether there may be an element to which nothing was set.
  bool mayBeEmpty = false;
  // What lists say of their elements, if all say the same; a tensor type.
  mlir::Type declared;
  // The length, if no op changes it.
  std::optional<int64_t> length;
  // The op that made them, if it is one, and no op changes their length: `list.make` or
  // `list.unstack`, whose first operand tells it.
  mlir::Operation *maker = nullptr;
  // What all elements are, if nothing else is ever put there.
  mlir::ElementsAttr constant;
};

class ListThreads {
public:
  explicit ListThreads(mlir::Operation *root);
  // Nothing is known of a list that was not there then.
  ListFacts factsOf(mlir::Value list) const;

private:
  list::ListClasses classes_;
  std::vector<ListFacts> facts_; // by number of a class
};

// A constant, and what gates of it wait for.
struct GatedConstant {
  mlir::DenseElementsAttr value;
  llvm::SmallVector<mlir::Value> tokens;
};
std::optional<GatedConstant> constantBehind(mlir::Value value);
// Of a constant scalar.
std::optional<int64_t> constantNumber(mlir::Value value);

} // namespace sluice::optimize
