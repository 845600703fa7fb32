// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes of matrix products.
#pragma once

#include "runtime/kernels/kernel.h"

namespace sluice::rt {

// The last two dims of an operand of known rank, as the product sees them.
struct MatrixDims {
  int64_t rows, columns;
  MatrixDims(const Shape &shape, bool transposed)
      : rows(shape.dim(shape.rank() - (transposed ? 1 : 2))),
        columns(shape.dim(shape.rank() - (transposed ? 2 : 1))) {}
};

// All dims but the last two of an operand of known rank.
Shape batchShape(const Shape &shape);
Status matmulShapeRule(ShapeCall &call);
// Of a product onto a sum, whose operands are single matrices.
Status matmulOntoShapeRule(ShapeCall &call);
// Multiplications and additions.
uint64_t matmulWork(const KernelCall &call);
uint64_t matmulOntoWork(const KernelCall &call);

} // namespace sluice::rt
