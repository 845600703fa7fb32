// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects small pieces, cuts large ones at the ends of blocks.
#include "runtime/checkpoint/shard_writer.h"

#include "runtime/base/crc32c.h"
#include "runtime/checkpoint/shard_directory.h"

#include <algorithm>

namespace sluice::rt {

namespace {
constexpr size_t kSmall = 64 << 10, kMostCollected = 1 << 20;
// A part of a block that stays in the caches between its checksum and its copy to the system.
constexpr size_t kPiece = 256 << 10;
constexpr uint64_t kSyncAtOnce = 16 << 20;
} // namespace

Status ShardWriter::append(std::string_view bytes) {
  if (bytes.size() >= kSmall) {
    SLUICE_RETURN_IF_ERROR(flush());
    return write(bytes);
  }
  collected_.append(bytes);
  return collected_.size() < kMostCollected ? okStatus() : flush();
}

Status ShardWriter::align(uint64_t alignment) {
  uint64_t missing = (alignment - size() % alignment) % alignment;
  collected_.append(static_cast<size_t>(missing), '\0');
  return {};
}

Result<std::vector<uint32_t>> ShardWriter::finish() {
  SLUICE_RETURN_IF_ERROR(flush());
  if (written_ % kShardBlockBytes != 0)
    checksums_.push_back(checksum_);
  return std::move(checksums_);
}

Status ShardWriter::flush() {
  Status status = write(collected_);
  collected_.clear();
  return status;
}

Status ShardWriter::write(std::string_view bytes) {
  while (!bytes.empty()) {
    uint64_t room = kShardBlockBytes - written_ % kShardBlockBytes;
    std::string_view piece = bytes.substr(0, std::min<uint64_t>(room, kPiece));
    checksum_ = crc32c(piece, checksum_);
    SLUICE_RETURN_IF_ERROR(file_.write(piece));
    written_ += piece.size();
    bytes.remove_prefix(piece.size());
    if (piece.size() == room)
      checksums_.push_back(std::exchange(checksum_, 0));
    if (written_ - syncStarted_ >= kSyncAtOnce) {
      file_.startSync();
      syncStarted_ = written_;
    }
  }
  return {};
}

} // namespace sluice::rt
