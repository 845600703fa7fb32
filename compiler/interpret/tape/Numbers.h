// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of a value as numbers in a row, whether it is a tensor, a list of tensors or of
// lists, or a map of tensors. What a list has nothing at has no numbers.
#pragma once

#include "runtime/memory/tensor.h"

#include <cstdint>
#include <vector>

namespace sluice::interpret {

// In double precision, whatever the elements are.
using Numbers = std::vector<double>;

// Whether a derivative can belong to it: a tensor of real floats, a list or a map.
bool isContinuous(const rt::Tensor &value);

rt::Result<Numbers> numbersOf(const rt::Tensor &value);
rt::Result<size_t> countNumbers(const rt::Tensor &value);

// A tensor with other elements.
rt::Result<rt::Tensor> withNumbers(rt::DType dtype, const rt::Shape &shape, const Numbers &numbers);
// A copy of any value with other elements, which are taken from the front.
rt::Result<rt::Tensor> withNumbers(const rt::Tensor &like, const Numbers &numbers, size_t &used);

// Elements that are no numbers but marks, held in their bits, so that what moves elements moves
// marks.
using Marks = std::vector<uint64_t>;
rt::Result<Marks> marksOf(const rt::Tensor &value);
rt::Result<rt::Tensor> withMarks(const rt::Tensor &like, uint64_t &next);

} // namespace sluice::interpret
