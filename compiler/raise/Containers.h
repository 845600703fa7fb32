// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arrays and stacks of a graph, and all that is done with each: whether it could as well be a
// list, which is a value.
#pragma once

#include "dialects/array/Array.h"
#include "dialects/flow/Flow.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <memory>
#include <string>
#include <vector>

namespace sluice::raise {

// An array, a stack, or the gradient array of an array.
struct Container {
  mlir::Operation *create;      // of the array itself, for a gradient array
  Container *forward = nullptr; // of a gradient array: whose it is
  // The values that name it, in all regions that they are brought into.
  llvm::SetVector<mlir::Value> handles;
  // Ops that change it or look at it, and those that ask an array for its gradient array.
  llvm::SetVector<mlir::Operation *> accesses;
  // Of an array, by source.
  llvm::MapVector<mlir::StringAttr, Container *> gradients;
  // What is known of all its elements.
  mlir::Type element;
  // Of a stack: the value of all its elements, if that is one constant.
  mlir::ElementsAttr constant;
  // Why it cannot be a list; empty if it can. Names the node in question.
  std::string obstacle;

  bool isGradient() const { return forward; }
  void refuse(mlir::Operation *op, llvm::StringRef why);
};

class Containers {
public:
  // Of a graph after raise-control-flow.
  explicit Containers(flow::TokenGraph graph);

  llvm::ArrayRef<std::unique_ptr<Container>> all() const { return all_; }
  // What an op accesses, if that can be a list.
  Container *accessedBy(mlir::Operation *op) const { return accessed_.lookup(op); }

private:
  Container &add(mlir::Operation *create, Container *forward, mlir::Value handle);
  void follow(Container &container);
  void followUse(Container &container, mlir::OpOperand &use);
  void findElement(Container &container);
  void findConstant(Container &container);
  void checkClosed();    // ContainerOrder.cpp
  void checkGradients(); // ContainerOrder.cpp
  void checkLiveness(flow::TokenGraph graph);

  std::vector<std::unique_ptr<Container>> all_;
  llvm::DenseMap<mlir::Operation *, Container *> accessed_;
};

} // namespace sluice::raise
