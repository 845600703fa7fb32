// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hashes of strings that are the same everywhere, since what they lead to is stored.
#pragma once

#include <cstdint>
#include <string_view>

namespace sluice::rt {

// FarmHash's fingerprint of 64 bits.
uint64_t fingerprint64(std::string_view text);
// MurmurHash64A.
uint64_t murmur64(std::string_view text, uint64_t seed);
// SipHash with two rounds a word, and four at the end.
uint64_t sipHash24(std::string_view text, uint64_t firstKey, uint64_t secondKey);

} // namespace sluice::rt
