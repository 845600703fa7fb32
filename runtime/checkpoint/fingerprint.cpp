// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words of 8 bytes, each mixed into what came before; the length counts as well.
#include "runtime/checkpoint/fingerprint.h"

#include "runtime/base/splitmix.h"

#include <cstring>

namespace sluice::rt {

uint64_t fingerprintOf(std::string_view bytes) {
  uint64_t state = mixBits(SplitMix64::kStep + bytes.size());
  while (!bytes.empty()) {
    uint64_t word = 0;
    size_t size = bytes.size() < sizeof word ? bytes.size() : sizeof word;
    std::memcpy(&word, bytes.data(), size);
    state = mixBits((state ^ word) + SplitMix64::kStep);
    bytes.remove_prefix(size);
  }
  return state;
}

} // namespace sluice::rt
