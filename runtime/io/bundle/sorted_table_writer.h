// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a sorted table (runtime/io/bundle/sorted_table.h), block after block.
#pragma once

#include "runtime/base/status.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::rt {

class SortedTableWriter {
public:
  using Sink = std::function<Status(std::string_view)>;
  explicit SortedTableWriter(Sink sink) : sink_(std::move(sink)) {}

  // Keys come in ascending order, each once.
  Status add(std::string_view key, std::string_view value);
  // The rest, after which nothing can be added.
  Status finish();

private:
  // Entries with keys that share their beginnings, and restarts, where whole keys are.
  struct Block {
    uint32_t entriesToRestart;
    std::string bytes, last;
    std::vector<uint32_t> restarts;
    uint32_t entries = 0;

    void add(std::string_view key, std::string_view value);
  };
  // Where it is, as the block of blocks and the footer have it.
  Status write(Block &block, std::string &place);
  Status endBlock();

  Sink sink_;
  uint64_t written_ = 0;
  Block block_{16, {}, {}, {}};
  Block blocks_{1, {}, {}, {}}; // of each block its last key and where it is
};

} // namespace sluice::rt
