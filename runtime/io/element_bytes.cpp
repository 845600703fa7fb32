// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks on raw element bytes.
#include "runtime/io/element_bytes.h"

namespace sluice::rt {

Status checkByteCount(DType dtype, const Shape &shape, uint64_t bytes) {
  SLUICE_ASSIGN_OR_RETURN(int64_t elements, shape.checkedElements());
  uint64_t wanted;
  if (__builtin_mul_overflow(static_cast<uint64_t>(elements), sizeOf(dtype), &wanted))
    return invalidArgument("byte size of shape " + shape.toString() + " overflows 64 bits");
  if (wanted != bytes)
    return invalidArgument("expected " + std::to_string(wanted) + " bytes of data for " +
                           std::string(dtypeName(dtype)) + shape.toString() + " but got " +
                           std::to_string(bytes));
  return {};
}

Status checkBools(const Tensor &tensor) {
  if (tensor.dtype() != DType::kBool)
    return {};
  const auto *bytes = tensor.data<unsigned char>();
  for (int64_t i = 0, n = tensor.elements(); i < n; ++i)
    if (bytes[i] > 1)
      return invalidArgument(format("expected 0 or 1 as bool but got %d at element %lld", bytes[i],
                                    static_cast<long long>(i)));
  return {};
}

} // namespace sluice::rt
