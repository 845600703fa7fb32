// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands for programs that are measured.
#pragma once

#include "runtime/memory/tensor.h"

#include <cstdlib>

namespace sluice::bench {

// f32 values around `base`, `step` apart, which repeat after `period` of them.
inline rt::Tensor filled(std::initializer_list<int64_t> dims, float base, float step,
                         int64_t period) {
  rt::Result<rt::Tensor> tensor = rt::Tensor::allocate(rt::DType::kF32, rt::Shape(dims));
  if (!tensor.ok())
    std::exit(1);
  auto *data = tensor->data<float>();
  for (int64_t i = 0; i < tensor->elements(); ++i)
    data[i] = base + step * static_cast<float>(i % period - period / 2);
  return std::move(*tensor);
}

} // namespace sluice::bench
