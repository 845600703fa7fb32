// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements as text: the shortest decimal that reads back as the same value, whatever the locale.
#pragma once

#include "runtime/base/status.h"
#include "runtime/memory/tensor.h"

#include <string>
#include <string_view>

namespace sluice::rt {

// "1.5", "-3", "true", "nan", "1+2i"; strings in double quotes with escapes.
void appendElement(const Tensor &tensor, int64_t index, std::string &out);
// The shortest decimal for a double.
void appendNumber(double value, std::string &out);
// Stores the value that the text names; a string element takes the text as it is. INVALID_ARGUMENT
// when the text is no value of the tensor's dtype or beyond its range.
Status parseElement(std::string_view text, Tensor &tensor, int64_t index);
// The text with quotes and escapes on one line, cut with "..." where it is longer than `limit`.
std::string quoted(std::string_view text, size_t limit = 200, char quote = '"');

} // namespace sluice::rt
