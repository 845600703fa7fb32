// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file that makes a folder of shards a checkpoint.
//
// A line of JSON, and a line with its checksum: people can read it, and no byte of it can change
// unseen.
#pragma once

#include "runtime/base/status.h"
#include "runtime/checkpoint/shard_record.h"

#include <string>
#include <string_view>
#include <vector>

namespace sluice::rt {

struct Manifest {
  std::string program;             // its hash
  uint64_t step = 0;               // calls that had been made
  std::vector<ShardRecord> shards; // by rank
  bool operator==(const Manifest &) const = default;
};

// Of any checkpoint: far beyond a thousand ranks.
inline constexpr uint64_t kMostManifestBytes = 16 << 20;

std::string encodeManifest(const Manifest &manifest);
// DATA_LOSS for what is damaged, UNIMPLEMENTED for what a newer program has written.
Result<Manifest> decodeManifest(std::string_view file);

} // namespace sluice::rt
