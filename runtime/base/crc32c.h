// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CRC-32C (Castagnoli): finds every change of up to 32 neighbouring bits.
#pragma once

#include <cstdint>
#include <string_view>

namespace sluice::rt {

// Of the bytes that follow those whose checksum is `before`.
uint32_t crc32c(std::string_view bytes, uint32_t before = 0);

} // namespace sluice::rt
