// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small tensors, and what is in them.
#pragma once

#include "runtime/memory/tensor.h"

#include <algorithm>
#include <vector>

namespace sluice::rt {

inline Tensor floats(const Shape &shape, std::vector<float> values) {
  Tensor tensor = *Tensor::allocate(DType::kF32, shape);
  std::ranges::copy(values, tensor.data<float>());
  return tensor;
}
inline Tensor texts(std::vector<std::string> values) {
  Tensor tensor = *Tensor::allocate(DType::kString, Shape{static_cast<int64_t>(values.size())});
  std::ranges::copy(values, tensor.data<std::string>());
  return tensor;
}
inline Tensor i64s(std::vector<int64_t> values) { return Tensor::vector<int64_t>(values); }
template <typename T> std::vector<T> valuesOf(const Tensor &tensor) {
  return tensor.valid() ? std::vector<T>(tensor.values<T>().begin(), tensor.values<T>().end())
                        : std::vector<T>();
}

} // namespace sluice::rt
