// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other ranks' shards, as rank 0 has them written and read.
#pragma once

#include "runtime/base/status.h"
#include "runtime/checkpoint/shard_record.h"

#include <cstdint>
#include <vector>

namespace sluice::rt {

struct ShardRequest {
  // As the functions of LocalShard of these names.
  enum class Kind : uint8_t { kSave, kStage, kAdopt, kRemoveOthers };
  Kind kind = Kind::kSave;
  uint64_t step = 0;
  std::vector<ShardRecord> records; // kStage: by rank
  std::vector<uint64_t> kept;       // kRemoveOthers
};

class RemoteShards {
public:
  virtual ~RemoteShards() = default;
  // Rank 0 included.
  virtual uint32_t ranks() const = 0;
  // Asks all other ranks, and returns.
  virtual void ask(const ShardRequest &request) = 0;
  // Waits for the answers of all. By rank; kSave only says something about it. The first failure is
  // that of all.
  virtual Result<std::vector<ShardRecord>> await() = 0;
};

} // namespace sluice::rt
