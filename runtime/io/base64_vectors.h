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

// Stores the bytes of whole groups of four from the begin of the text, and says how many characters
// that were. All of them are of the alphabet; it stops early where one is not. Else it leaves fewer
// than kMostLeft of kLeastVectors or more, if there are vectors at all. `out` has room for the
// bytes of the whole text.
constexpr size_t kLeastVectors = 256, kMostLeft = 96;
size_t decodeVectors(const char *text, size_t size, unsigned char *out);
// Stores the characters of whole groups of three bytes, and says how many bytes that were. `out`
// has room for the text of all of them.
size_t encodeVectors(const unsigned char *bytes, size_t size, char *out);

} // namespace sluice::rt
