// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of an array or list as one tensor, and a tensor cut into elements: what kernels on both
// share.
#pragma once

#include "runtime/kernels/kernel.h"

namespace sluice::rt {

// Elements along a new first dim. `expected` is what is known of their shape.
Status stackElements(std::span<const Tensor> elements, const Shape &expected, Tensor &whole);
// Elements joined along their first dim; `expected` is what is known of their other dims.
Status concatElements(std::span<const Tensor> elements, const Shape &expected, Tensor &whole);
// The whole of no elements. UNIMPLEMENTED where the shape of one is not known; `what` and `doing`
// tell of which op.
Status emptyWhole(const char *what, const char *doing, const Shape &element, DType dtype,
                  Tensor &whole);
// Dims of `count` elements of which `element` is known, along a new first dim.
Status stackedShape(const Shape &element, int64_t count, Shape &whole);

Status checkVector(const Tensor &tensor, const char *what);
// Whether a tensor has a row for each index.
Status checkRowsFor(const Tensor &indices, const Tensor &whole);
// Whether pieces of these lengths make up a tensor.
Status checkLengths(const Tensor &lengths, const Tensor &whole);
// A copy of a part of a tensor that begins at an element.
Result<Tensor> partOf(const Tensor &whole, int64_t from, const Shape &shape);

} // namespace sluice::rt
