// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes on their way into a shard: a checksum is taken of them while they are in the caches, and
// they are written from where they are, in large pieces.
#pragma once

#include "runtime/io/file_system.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::rt {

class ShardWriter {
public:
  explicit ShardWriter(OutputFile &file) : file_(file) {}

  // So many were given so far.
  uint64_t size() const { return written_ + collected_.size(); }
  Status append(std::string_view bytes);
  // Zeros up to the next multiple.
  Status align(uint64_t alignment);
  // Nothing more comes. The checksums of all blocks.
  Result<std::vector<uint32_t>> finish();

private:
  Status flush();
  Status write(std::string_view bytes);

  OutputFile &file_;
  std::string collected_; // small pieces that come next
  uint64_t written_ = 0, syncStarted_ = 0;
  uint32_t checksum_ = 0; // of the block that is not full
  std::vector<uint32_t> checksums_;
};

} // namespace sluice::rt
