// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checksums as the files of checkpoints store them: bytes that hold their own checksum would else
// have one that says little.
#pragma once

#include <cstdint>

namespace sluice::rt {

inline uint32_t maskedChecksum(uint32_t checksum) {
  constexpr uint32_t kMask = 0xa282ead8;
  return (checksum >> 15 | checksum << 17) + kMask;
}

} // namespace sluice::rt
