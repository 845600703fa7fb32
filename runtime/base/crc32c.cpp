// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CRC-32C by the CPU's instruction where the runtime is compiled for it, else by a table.
#include "runtime/base/crc32c.h"

#include <array>
#include <cstring>

#ifdef __SSE4_2__
#include <nmmintrin.h>
#endif

namespace sluice::rt {

static constexpr std::array<uint32_t, 256> makeTable() {
  constexpr uint32_t kPolynomial = 0x82f63b78; // reflected
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit)
      value = value & 1 ? value >> 1 ^ kPolynomial : value >> 1;
    table[i] = value;
  }
  return table;
}
static constexpr std::array<uint32_t, 256> kTable = makeTable();

#ifdef __SSE4_2__

namespace {

// The instruction takes three cycles, but one can begin in each: three lanes side by side.
constexpr size_t kLane = 1024;

// What a state becomes when the bytes of a lane come that are all zero, by each byte of the state:
// the whole is the sum of its parts.
using LaneTable = std::array<std::array<uint32_t, 256>, 4>;
constexpr LaneTable makeLaneTable() {
  LaneTable table{};
  for (size_t place = 0; place < 4; ++place) {
    for (size_t bit = 0; bit < 8; ++bit) {
      uint32_t state = uint32_t{1} << (place * 8 + bit);
      for (size_t i = 0; i < kLane; ++i)
        state = state >> 8 ^ kTable[state & 0xff];
      table[place][size_t{1} << bit] = state;
    }
    for (size_t byte = 1; byte < 256; ++byte)
      table[place][byte] = table[place][byte & (byte - 1)] ^ table[place][byte & (~byte + 1)];
  }
  return table;
}
constexpr LaneTable kOverLane = makeLaneTable();

uint64_t overLane(uint64_t state) {
  return kOverLane[0][state & 0xff] ^ kOverLane[1][state >> 8 & 0xff] ^
         kOverLane[2][state >> 16 & 0xff] ^ kOverLane[3][state >> 24 & 0xff];
}

uint64_t addWord(uint64_t state, const char *from) {
  uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return _mm_crc32_u64(state, word);
}

} // namespace

uint32_t crc32c(std::string_view bytes, uint32_t before) {
  uint64_t state = ~before;
  for (; bytes.size() >= 3 * kLane; bytes.remove_prefix(3 * kLane)) {
    uint64_t second = 0, third = 0;
    for (const char *at = bytes.data(), *end = at + kLane; at != end; at += sizeof(uint64_t)) {
      state = addWord(state, at);
      second = addWord(second, at + kLane);
      third = addWord(third, at + 2 * kLane);
    }
    state = overLane(overLane(state) ^ second) ^ third;
  }
  for (; bytes.size() >= sizeof(uint64_t); bytes.remove_prefix(sizeof(uint64_t)))
    state = addWord(state, bytes.data());
  auto rest = static_cast<uint32_t>(state);
  for (char c : bytes)
    rest = _mm_crc32_u8(rest, static_cast<uint8_t>(c));
  return ~rest;
}

#else

uint32_t crc32c(std::string_view bytes, uint32_t before) {
  uint32_t state = ~before;
  for (char c : bytes)
    state = state >> 8 ^ kTable[(state ^ static_cast<uint8_t>(c)) & 0xff];
  return ~state;
}

#endif

} // namespace sluice::rt
