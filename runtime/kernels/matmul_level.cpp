// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the machine for its vectors once.
#include "runtime/kernels/matmul_level.h"

#include "runtime/base/cpu_features.h"

#include <atomic>

namespace sluice::rt {

namespace {
constexpr uint8_t kUnknown = 255;
std::atomic<uint8_t> chosen{kUnknown};
} // namespace

bool canMultiplyBy(ProductLevel level) {
  if (level == ProductLevel::kShortVectors)
    return true; // what the runtime is compiled for
  constexpr CpuFeatureSet needed =
      cpuFeaturesNamed({"avx512f", "avx512vl", "avx512bw", "avx512dq"});
  return (needed & ~machineCpuFeatures()) == 0;
}

ProductLevel productLevel() {
  uint8_t level = chosen.load(std::memory_order_relaxed);
  if (level == kUnknown) {
    level = static_cast<uint8_t>(canMultiplyBy(ProductLevel::kLongVectors)
                                     ? ProductLevel::kLongVectors
                                     : ProductLevel::kShortVectors);
    chosen.store(level, std::memory_order_relaxed);
  }
  return static_cast<ProductLevel>(level);
}

void forceProductLevel(ProductLevel level) {
  chosen.store(static_cast<uint8_t>(level), std::memory_order_relaxed);
}

} // namespace sluice::rt
