// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks on raw element bytes that come from files and requests.
#pragma once

#include "runtime/base/status.h"
#include "runtime/memory/tensor.h"

#include <cstdint>

namespace sluice::rt {

// The shape's elements of this plain dtype take exactly so many bytes. Called before allocation, so
// that no header makes the process ask for more memory than the file has bytes.
Status checkByteCount(DType dtype, const Shape &shape, uint64_t bytes);
// Every byte of a bool tensor is 0 or 1; other bytes would be undefined behaviour later.
Status checkBools(const Tensor &tensor);

} // namespace sluice::rt
