// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Denormal floats become zeros, in the bits: what the processor makes of a comparison with one
// depends on its mode.
#include "runtime/memory/denormals.h"

#include <cstdint>

namespace sluice::rt {

template <typename BitsT> static void flush(Tensor &tensor, BitsT exponent) {
  BitsT *elements = tensor.data<BitsT>();
  size_t count = tensor.bytes() / sizeof(BitsT);
  constexpr BitsT kSign = BitsT(BitsT(1) << (8 * sizeof(BitsT) - 1));
  for (size_t i = 0; i < count; ++i)
    elements[i] = elements[i] & exponent ? elements[i] : elements[i] & kSign;
}

Status flushDenormals(Tensor &tensor) {
  DType dtype = tensor.dtype();
  bool isWide = dtype == DType::kF64 || dtype == DType::kC128;
  bool isNarrow = dtype == DType::kBF16;
  if (!isWide && !isNarrow && dtype != DType::kF32 && dtype != DType::kC64)
    return {};
  if (!tensor.solelyOwned()) {
    SLUICE_ASSIGN_OR_RETURN(tensor, tensor.clone());
  }
  if (isWide)
    flush<uint64_t>(tensor, 0x7ff0000000000000);
  else if (isNarrow)
    flush<uint16_t>(tensor, 0x7f80);
  else
    flush<uint32_t>(tensor, 0x7f800000);
  return {};
}

} // namespace sluice::rt
