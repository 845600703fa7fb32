// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of a shard, which says what is before it: objects, where their tensors are, and a
// checksum of each block (docs/reference/checkpoints.md). It outlives the process, so it has a
// version, which the manifest carries.
#pragma once

#include "runtime/base/dtype.h"
#include "runtime/base/status.h"
#include "runtime/memory/shape.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::rt {

// Of a shard; each has a checksum of its own.
inline constexpr uint64_t kShardBlockBytes = 1 << 20;
// Tensors begin at multiples of the first, those that may be mapped at multiples of the second.
inline constexpr uint64_t kShardAlignment = 64, kShardPage = 4096;
inline constexpr uint64_t kLeastMappedBytes = 1 << 20;

// In a shard, after the padding that its alignment asks for. Strings are stored as the length in 64
// bits and the text of each.
struct StoredTensor {
  std::string name;
  DType dtype = DType::kInvalid;
  Shape shape;
  uint64_t offset = 0, bytes = 0;
  uint64_t alignment() const {
    return isPlain(dtype) && bytes >= kLeastMappedBytes ? kShardPage : kShardAlignment;
  }
};

struct StoredObject {
  std::string kind, key;
  std::vector<StoredTensor> tensors;
};

struct ShardDirectory {
  uint64_t step = 0;
  uint32_t rank = 0;
  uint64_t dataBytes = 0; // all that comes before the directory
  std::vector<StoredObject> objects;
  std::vector<uint32_t> checksums; // CRC-32C, by block
};

std::string encodeShardDirectory(const ShardDirectory &directory);
// DATA_LOSS for what cannot have been written so: what it says can be relied on, whoever wrote it.
Result<ShardDirectory> decodeShardDirectory(std::string_view bytes);

} // namespace sluice::rt
