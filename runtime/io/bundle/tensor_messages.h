// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The messages that describe tensors in checkpoints.
#pragma once

#include "runtime/base/status.h"
#include "runtime/io/bundle/message.h"
#include "runtime/io/bundle/region.h"

#include <string>
#include <string_view>
#include <vector>

namespace sluice::rt {

// The first row of an index.
struct BundleHeader {
  static constexpr int64_t kLittleEndian = 0;
  int64_t shards = 0;
  int64_t endianness = kLittleEndian;
  int64_t producer = 0, minConsumer = 0;
};

// A row of an index: of a tensor that is stored whole or in slices, or of such a slice.
struct BundleEntry {
  int64_t type = 0; // as files number them
  std::vector<int64_t> shape;
  int64_t shard = 0, offset = 0, size = 0;
  uint32_t checksum = 0; // masked
  std::vector<TensorSlice> slices;
};

// DATA_LOSS unless the bytes are such a message; fields that are not known are passed over.
Result<BundleHeader> parseBundleHeader(std::string_view bytes);
// Also when dims are unknown, negative or too many.
Result<BundleEntry> parseBundleEntry(std::string_view bytes);
Result<std::vector<int64_t>> parseShape(std::string_view bytes);
Result<TensorSlice> parseSlice(std::string_view bytes);

std::string messageOf(const BundleHeader &header);
std::string messageOf(const BundleEntry &entry);
std::string messageOf(const TensorSlice &slice);
std::string messageOfShape(std::span<const int64_t> shape);

} // namespace sluice::rt
