// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sorted table that is the index of a checkpoint: keys and values in blocks, each with a
// checksum; neighbouring keys share their beginnings.
#pragma once

#include "compiler/import/Limits.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sluice::import {

struct TableEntry {
  std::string key;
  std::string_view value; // lies in the file's bytes
};

// Keys in ascending order, each once.
using SortedTable = std::vector<TableEntry>;

// The whole table, or what is wrong with the bytes, which must outlive it. Every checksum has been
// compared, and nothing is allocated by a number that was not compared with the size of the file.
std::variant<SortedTable, std::string> readSortedTable(std::string_view bytes,
                                                       const Limits &limits);

// Checksums in the files of a checkpoint are stored in another form than they are computed.
uint32_t maskedChecksum(uint32_t checksum);

} // namespace sluice::import
