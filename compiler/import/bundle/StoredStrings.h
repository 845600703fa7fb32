// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strings as a checkpoint stores them: all lengths, a checksum of these, all bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::import {

// Cuts so many strings out of the bytes, and computes the checksum that the index should have.
// What is wrong, or nothing. Does not allocate by a number that the bytes do not account for.
std::string decodeStoredStrings(std::string_view bytes, int64_t count,
                                std::vector<std::string> &strings, uint32_t &checksum);

} // namespace sluice::import
