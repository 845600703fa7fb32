// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of tensors, joined to one and taken out of it again.
#pragma once

#include "runtime/memory/tensor.h"

#include <span>
#include <vector>

namespace sluice::rt {

// Row i of the first axis, with elements of its own. RESOURCE_EXHAUSTED when memory does not
// suffice.
Result<Tensor> rowOf(const Tensor &batch, int64_t i);
// The tensors, which have one rank and the type `dtype`, as rows. Where dims differ, there are
// zeros behind the shorter ones; without any, dims that `row` does not say are 0.
Result<Tensor> batchOf(std::span<const Tensor *const> rows, DType dtype, const Shape &row);

// So many elements, of tensors of one type.
void copyElements(Tensor &to, int64_t toAt, const Tensor &from, int64_t fromAt, int64_t count);

} // namespace sluice::rt
