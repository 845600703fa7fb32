// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sorted table that is the index of a checkpoint, or all of one: keys and values in blocks,
// each with a checksum; neighbouring keys share their beginnings.
#pragma once

#include "runtime/base/status.h"
#include "runtime/io/bundle/checkpoint_limits.h"

#include <string>
#include <string_view>
#include <vector>

namespace sluice::rt {

struct TableEntry {
  std::string key;
  std::string_view value; // lies in the file's bytes
};

// Keys in ascending order, each once.
using SortedTable = std::vector<TableEntry>;

// The whole table of the bytes, which must outlive it. Every checksum has been compared, and
// nothing is allocated by a number that was not compared with the size of the file. DATA_LOSS says
// what is wrong with the bytes; RESOURCE_EXHAUSTED names a limit; UNIMPLEMENTED: blocks are
// compressed.
Result<SortedTable> readSortedTable(std::string_view bytes, const CheckpointLimits &limits);

// Null if there is none of this key.
const TableEntry *findEntry(const SortedTable &table, std::string_view key);

// How a table looks; for those who read and write one.
struct TableFormat {
  static constexpr uint64_t kMagic = 0xdb4775248b80fb57;
  static constexpr size_t kFooterBytes = 48;
  static constexpr size_t kTrailerBytes = 5; // kind of compression and checksum behind each block
};

} // namespace sluice::rt
