// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asking kernels at compile time for values.
#pragma once

#include "dialects/interfaces/ResultShapes.h"

#include <optional>
#include <vector>

namespace sluice::optimize {

// Outputs of the op's kernel. Fails also when there is none, or it does more than compute.
rt::Result<std::vector<rt::Tensor>> evaluate(mlir::Operation *op, const TensorPointers &inputs);

// The answer of an op with the face AsksShape, if it follows from what is known of its operand's
// shape and fits into the result's type.
std::optional<rt::Tensor> answerFromShape(mlir::Operation *op, const rt::Shape &shape);

} // namespace sluice::optimize
