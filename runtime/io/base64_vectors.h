// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bulk of long base64 texts, a vector at a time, with the widest that this machine has.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice::rt {

enum class Base64Level : uint8_t { kTables, kVectors, kLongVectors };

// Whether this machine has them.
bool canEncodeBy(Base64Level level);
// For tests.
void forceBase64Level(Base64Level level);

struct DecodedVectors {
  size_t characters = 0;     // from the begin of the text, a multiple of 32
  bool hasDenormals = false; // if their bytes are taken as f32, of which none is cut
};
// Stores the bytes of characters of the alphabet. It stops early where one is of another, else it
// leaves fewer than kMostLeft of kLeastVectors or more, if there are vectors at all. `out` has room
// for the bytes of the whole text.
constexpr size_t kLeastVectors = 256, kMostLeft = 96;
DecodedVectors decodeVectors(const char *text, size_t size, unsigned char *out);
// Stores the characters of whole groups of three bytes, and says how many bytes that were. `out`
// has room for the text of all of them.
size_t encodeVectors(const unsigned char *bytes, size_t size, char *out);

} // namespace sluice::rt
