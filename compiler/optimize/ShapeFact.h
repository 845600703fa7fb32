// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What shape inference knows of one value: an element of a lattice of finite height.
#pragma once

#include "runtime/memory/tensor.h"

#include <memory>

namespace sluice::optimize {

// Only ever becomes vaguer while inference runs: from "no token has been seen here" to one shape
// (and value), to a shape with unknown dims, to unknown rank.
struct ShapeFact {
  bool reached = false;
  rt::Shape shape = rt::Shape::unknownRank();
  std::shared_ptr<const rt::Tensor> value; // null if it is not known, or not worth knowing

  // Makes the fact true of a token with the other fact, too. Returns whether it changed.
  bool widen(const ShapeFact &other);
};

// What is true of both shapes.
rt::Shape joinShapes(const rt::Shape &a, const rt::Shape &b);
// What both say together; `declared` if they contradict each other.
rt::Shape refineShape(const rt::Shape &declared, const rt::Shape &computed);

} // namespace sluice::optimize
