// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of blocks: a header and room for elements, of which there are four sizes for each power of
// two. So a block has at most a quarter more room than was asked for, or less than 64 bytes more.
#pragma once

#include <bit>
#include <cstddef>

namespace sluice::rt {

constexpr size_t kBlockHeader = 64;
constexpr size_t kBlockAlignment = 64; // of blocks, and so of elements
constexpr size_t kPageBytes = 4096;    // systems with larger pages round up by themselves

namespace size_classes {
constexpr size_t kEven = 256; // up to here rooms are 0, 64, 128, 192 and 256 bytes
constexpr int kEvenClasses = kEven / 64 + 1;
constexpr int kEvenDigits = 8; // 1 << kEvenDigits is kEven
} // namespace size_classes

constexpr int classOf(size_t room) {
  using namespace size_classes;
  if (room <= kEven)
    return static_cast<int>((room + 63) / 64);
  int digits = std::bit_width(room - 1) - 1;
  auto quarter = static_cast<int>((room - 1) >> (digits - 2)) & 3;
  return kEvenClasses + 4 * (digits - kEvenDigits) + quarter;
}

constexpr size_t roomOf(int sizeClass) {
  using namespace size_classes;
  if (sizeClass < kEvenClasses)
    return static_cast<size_t>(sizeClass) * 64;
  int digits = kEvenDigits + (sizeClass - kEvenClasses) / 4;
  auto quarters = static_cast<size_t>(5 + (sizeClass - kEvenClasses) % 4);
  return quarters << (digits - 2);
}

// Blocks up to this room share slabs; larger ones are mappings of their own.
constexpr size_t kMostSharedRoom = 16 << 10;
// Larger ones are not kept, and have no class.
constexpr size_t kMostKeptRoom = size_t{64} << 20;
constexpr int kSharedClasses = classOf(kMostSharedRoom) + 1;
constexpr int kClasses = classOf(kMostKeptRoom) + 1;

constexpr size_t inPages(size_t bytes) { return (bytes + kPageBytes - 1) & ~(kPageBytes - 1); }
// What a block takes.
constexpr size_t blockBytesOf(int sizeClass) {
  size_t bytes = kBlockHeader + roomOf(sizeClass);
  return sizeClass < kSharedClasses ? bytes : inPages(bytes);
}
// The same for so much room.
constexpr size_t blockBytesFor(size_t room) {
  return room <= kMostKeptRoom ? blockBytesOf(classOf(room)) : inPages(kBlockHeader + room);
}

} // namespace sluice::rt
