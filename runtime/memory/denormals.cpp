// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Denormal floats become zeros, in the bits: what the processor makes of a comparison with one
// depends on its mode.
#include "runtime/memory/denormals.h"

#include <algorithm>
#include <cstdint>

namespace sluice::rt {

namespace {

template <typename BitsT> struct Form {
  BitsT exponent;
  static constexpr BitsT kSign = BitsT(BitsT(1) << (8 * sizeof(BitsT) - 1));

  // Most tensors have none, and reading them takes a fifth of the time of writing them.
  bool isIn(const Tensor &tensor, size_t first) const {
    const auto *elements = tensor.data<BitsT>();
    size_t count = tensor.bytes() / sizeof(BitsT);
    constexpr size_t kBlock = 4096;
    for (size_t i = first; i < count;) {
      BitsT found = 0;
      for (size_t end = std::min(count, i + kBlock); i < end; ++i)
        found |= elements[i] & exponent ? BitsT(0) : BitsT(elements[i] & BitsT(~kSign));
      if (found)
        return true;
    }
    return false;
  }

  void flush(Tensor &tensor) const {
    auto *elements = tensor.data<BitsT>();
    size_t count = tensor.bytes() / sizeof(BitsT);
    for (size_t i = 0; i < count; ++i)
      elements[i] = elements[i] & exponent ? elements[i] : elements[i] & kSign;
  }
};

template <typename BitsT> Status flush(Tensor &tensor, BitsT exponent, size_t first = 0) {
  Form<BitsT> form{exponent};
  if (!form.isIn(tensor, first))
    return {};
  if (!tensor.solelyOwned()) {
    SLUICE_ASSIGN_OR_RETURN(tensor, tensor.clone());
  }
  form.flush(tensor);
  return {};
}

} // namespace

Status flushDenormals(Tensor &tensor, size_t bytesWithoutF32Denormals) {
  switch (tensor.dtype()) {
  case DType::kF64:
  case DType::kC128:
    return flush<uint64_t>(tensor, 0x7ff0000000000000);
  case DType::kF32:
  case DType::kC64:
    return flush<uint32_t>(tensor, 0x7f800000, bytesWithoutF32Denormals / sizeof(uint32_t));
  case DType::kBF16:
    return flush<uint16_t>(tensor, 0x7f80);
  default:
    return {};
  }
}

} // namespace sluice::rt
