// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strings as a bundle stores them: all lengths, a checksum of these, all bytes.
#pragma once

#include "runtime/base/status.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sluice::rt {

// Cuts as many strings as there are in `strings` out of the bytes; the checksum that the row should
// have, not masked. DATA_LOSS says what is wrong.
Result<uint32_t> decodeStoredStrings(std::string_view bytes, std::span<std::string> strings);
// DATA_LOSS unless so many bytes may be so many strings.
Status checkStoredStrings(uint64_t bytes, int64_t count);

// Everything before the bytes of the strings, and the checksum up to there.
struct StoredStringsHead {
  std::string bytes;
  uint32_t checksum;
};
StoredStringsHead encodeLengths(std::span<const std::string> strings);

} // namespace sluice::rt
