// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CRC-32C by the CPU's instruction where the runtime is compiled for it, else by a table.
#include "runtime/base/crc32c.h"

#include <array>
#include <cstring>

#ifdef __SSE4_2__
#include <nmmintrin.h>
#endif

namespace sluice::rt {

#ifdef __SSE4_2__

uint32_t crc32c(std::string_view bytes, uint32_t before) {
  uint64_t state = ~before;
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    uint64_t word;
    std::memcpy(&word, bytes.data(), 8);
    state = _mm_crc32_u64(state, word);
  }
  auto rest = static_cast<uint32_t>(state);
  for (char c : bytes)
    rest = _mm_crc32_u8(rest, static_cast<uint8_t>(c));
  return ~rest;
}

#else

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

uint32_t crc32c(std::string_view bytes, uint32_t before) {
  static constexpr std::array<uint32_t, 256> kTable = makeTable();
  uint32_t state = ~before;
  for (char c : bytes)
    state = state >> 8 ^ kTable[(state ^ static_cast<uint8_t>(c)) & 0xff];
  return ~state;
}

#endif

} // namespace sluice::rt
