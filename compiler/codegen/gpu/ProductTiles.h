// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a product is cut into tiles on a card.
#pragma once

#include <cstdint>
#include <iterator>

namespace sluice::codegen {

// How a product is cut.
struct TileShape {
  int64_t rows, columns;       // of a block's tile
  int64_t depth;               // how much of k is shared at a time
  int64_t ownRows, ownColumns; // of a thread
  // Whether in shared memory what is along k lies next to each other: a thread with few rows and
  // columns reads several of k at once.
  bool isDeep;
  int64_t threadsDown() const { return rows / ownRows; }
  int64_t threadsAcross() const { return columns / ownColumns; }
  int64_t threads() const { return threadsDown() * threadsAcross(); }
};

// From the one that reads the least for each sum to the one that makes the most of few sums.
inline constexpr TileShape kTiles[] = {{128, 128, 16, 8, 8, false}, {128, 64, 16, 8, 4, false},
                                       {64, 64, 16, 4, 4, false},   {64, 32, 32, 4, 4, true},
                                       {32, 16, 64, 2, 2, true},    {8, 8, 128, 1, 1, true}};
inline constexpr size_t kNumTiles = std::size(kTiles);
inline constexpr size_t kSmallTile = 4; // beside a large one, where sizes are not known
// So many blocks keep a large card busy.
inline constexpr int64_t kManyBlocks = 120;
// So many neighbouring elements are read and written at once.
inline constexpr int64_t kGroup = 4;
// Between rows in shared memory, so that what neighbouring threads write is in different banks.
inline constexpr int64_t kGap = 4;
inline constexpr int64_t kUnrolled = 8;

} // namespace sluice::codegen
