// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is true of all lists of a class, whoever makes them.
#pragma once

#include "dialects/list/ListClasses.h"

namespace sluice::optimize {

struct ListFacts {
  // Whether an element may have been set to nothing.
  bool mayBeEmpty = false;
  // What lists say of their elements, if all say the same; a tensor type.
  mlir::Type declared;
  // The length, if no op changes it.
  std::optional<int64_t> length;
};

// By number of a class.
std::vector<ListFacts> findListFacts(mlir::Operation *root, const list::ListClasses &classes);

// A constant, and what gates of it wait for.
struct GatedConstant {
  mlir::DenseElementsAttr value;
  llvm::SmallVector<mlir::Value> tokens;
};
std::optional<GatedConstant> constantBehind(mlir::Value value);
// Of a constant scalar.
std::optional<int64_t> constantNumber(mlir::Value value);

} // namespace sluice::optimize
