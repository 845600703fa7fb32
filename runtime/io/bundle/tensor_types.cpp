// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One table of numbers.
#include "runtime/io/bundle/tensor_types.h"

namespace sluice::rt {

static constexpr int kNumbers[] = {
    19, 14, 1,  2,  6,  5, 3,  9, // f16, bf16, f32, f64, i8, i16, i32, i64
    4,  17, 22, 23, 10, 8, 18, 7, // u8, u16, u32, u64, bool, c64, c128, string
    0,  0,                        // handle, invalid
};
static_assert(sizeof(kNumbers) / sizeof(kNumbers[0]) == kNumDTypes + 1);

int numberOfType(DType dtype) { return kNumbers[static_cast<int>(dtype)]; }

std::optional<DType> typeOfNumber(int64_t number) {
  for (int i = 0; i <= static_cast<int>(DType::kString); ++i)
    if (kNumbers[i] == number)
      return static_cast<DType>(i);
  return std::nullopt;
}

} // namespace sluice::rt
