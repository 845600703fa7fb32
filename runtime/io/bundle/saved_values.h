// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of tensors as the first format of checkpoints stores them: a field with all numbers, by
// their kind, or one for each string.
#pragma once

#include "runtime/base/status.h"
#include "runtime/memory/tensor.h"

#include <string>
#include <string_view>

namespace sluice::rt {

// OK if the format can store such elements. As in TensorFlow, which can store fewer than it may
// save: UNIMPLEMENTED for some types and INVALID_ARGUMENT for others.
Status checkSavable(DType dtype);
// DATA_LOSS unless so many elements may be in so many bytes.
Status checkSavedSize(DType dtype, int64_t elements, uint64_t bytes);

// Of a savable type.
std::string messageOfValues(const Tensor &tensor);
// Into so many elements. DATA_LOSS unless they are exactly as many.
Status parseValues(std::string_view message, DType dtype, int64_t elements, void *target);

} // namespace sluice::rt
