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

// ---- By tensor cores ---------------------------------------------------------------------------

inline constexpr int64_t kLanes = 32; // of a warp
// What one instruction multiplies: 16 rows, 8 columns, and along k 16 small floats or 8 of f32.
inline constexpr int64_t kFragmentRows = 16, kFragmentColumns = 8;
// So much of k is shared at a time: of a line, chunks of 16 bytes, one for each four lanes.
inline constexpr int64_t kChunks = 4, kChunkBytes = 16;
inline constexpr int64_t chunkOf(int64_t bytes) { return kChunkBytes / bytes; } // of an element

// A block's tile, and the part of it that is a warp's.
struct WarpTiles {
  int64_t rows, columns;
  int64_t ownRows, ownColumns;
  int64_t warpsAcross() const { return columns / ownColumns; }
  int64_t threads() const { return rows / ownRows * warpsAcross() * kLanes; }
};
inline constexpr WarpTiles kWarpTiles[] = {{128, 128, 64, 32}, {64, 64, 32, 32}, {32, 32, 16, 32}};

// How many neighbours of an operand of small floats are read at once, along k or along the tile.
inline constexpr int64_t tensorGroup(bool alongDepth) { return alongDepth ? chunkOf(2) : 2; }
// From so many multiplications on products of f32 have kernels for tensor cores: half a microsecond
// without.
inline constexpr int64_t kLeastForTensorCores = 1 << 24;

} // namespace sluice::codegen
