// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a manifest says of a shard: enough to tell it from any other.
#pragma once

#include <cstdint>

namespace sluice::rt {

struct ShardRecord {
  uint64_t bytes = 0;          // of the file
  uint64_t directoryBytes = 0; // of the directory at its end
  uint64_t fingerprint = 0;    // of the directory, which has the checksums of all before it
  bool operator==(const ShardRecord &) const = default;
};

} // namespace sluice::rt
