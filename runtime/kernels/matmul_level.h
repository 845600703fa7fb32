// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which vectors products of f32 and f64 are computed with: the widest that this machine has.
#pragma once

#include <cstdint>

namespace sluice::rt {

enum class ProductLevel : uint8_t { kShortVectors, kLongVectors }; // as in matmul_tile.h

// Whether this machine has them.
bool canMultiplyBy(ProductLevel level);
ProductLevel productLevel();
// For tests and benchmarks, while nothing multiplies. What was packed before is of no use after.
void forceProductLevel(ProductLevel level);

} // namespace sluice::rt
