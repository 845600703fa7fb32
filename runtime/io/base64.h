// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Base64 with the standard alphabet and padding; decoding is strict.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sluice::rt {

void appendBase64(std::span<const unsigned char> bytes, std::string &out);
// Bytes that the text stands for; absent when its length or padding is wrong.
std::optional<size_t> base64DecodedSize(std::string_view text);
// `out` has room for `base64DecodedSize(text)` bytes. False: a character outside the alphabet or
// stray bits before the padding.
bool decodeBase64(std::string_view text, unsigned char *out);

} // namespace sluice::rt
