// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of shapes, sizes and axes that are computed, element by element.
#pragma once

#include "compiler/optimize/DimNames.h"
#include "dialects/interfaces/ResultShapes.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <deque>
#include <optional>

namespace sluice::optimize {

// Of a scalar or vector of integers or truths. Null is an element that is not known; a name is not
// negative.
using Elements = llvm::SmallVector<mlir::AffineExpr, 4>;

// What is true of both; nothing if they have not as many elements.
std::optional<Elements> joinElements(const std::optional<Elements> &a,
                                     const std::optional<Elements> &b);
// Whether all elements are known.
bool isWhole(const Elements &elements);
// Whether both are known, and equal.
bool areEqual(const std::optional<Elements> &a, const std::optional<Elements> &b);
// The elements, if all are numbers.
std::optional<llvm::SmallVector<int64_t>> numbersOf(const Elements &elements);
// The same as a tensor of an integer type; nothing if one does not fit into it.
std::optional<rt::Tensor> tensorOf(const Elements &elements, rt::DType dtype, int rank);

// What is known of the operands and results of one op.
class ElementRules {
public:
  struct Fact {
    rt::Shape shape;
    std::optional<Elements> elements;
  };
  // Null where nothing has been found out.
  using FactOf = llvm::function_ref<const Fact *(mlir::Value)>;

  // All operands must have facts.
  ElementRules(mlir::Operation *op, FactOf factOf, DimNames &names);

  // Null for operands that are not known as a whole.
  const TensorPointers &values() const { return values_; }
  // What elements of operands say of the result's dims, where some of them are not known.
  rt::Shape refine(const rt::Shape &result) const;
  // Of a result of the shape.
  std::optional<Elements> elementsOf(mlir::OpResult result, const rt::Shape &shape) const;

private:
  const std::optional<Elements> &elements(unsigned operand) const {
    return facts_[operand]->elements;
  }
  rt::Shape shapeFrom(unsigned operand) const;
  rt::Shape sliced() const;
  rt::Shape tiled() const;
  std::optional<Elements> ofShape() const;
  std::optional<Elements> compared() const;
  std::optional<Elements> added() const;
  std::optional<Elements> product() const;
  std::optional<Elements> moved(unsigned result) const;
  std::optional<Elements> computed(unsigned result) const;

  mlir::Operation *op_;
  DimNames &names_;
  llvm::SmallVector<const Fact *> facts_;
  std::deque<rt::Tensor> tensors_;
  TensorPointers values_;
};

} // namespace sluice::optimize
