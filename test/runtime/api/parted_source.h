// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stream that gives its text in parts.
#pragma once

#include "runtime/api/line_reader.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace sluice::rt {

class PartedSource final : public ByteSource {
public:
  // The first part ends at `first`, and all others have at most `size` bytes.
  explicit PartedSource(std::string_view text, size_t first = SIZE_MAX, size_t size = SIZE_MAX)
      : text_(text), part_(first), size_(size) {}
  Result<size_t> read(char *data, size_t room) override {
    const size_t n = std::min({part_, room, text_.size()});
    std::memcpy(data, text_.data(), n);
    text_.remove_prefix(n);
    part_ = part_ == n ? size_ : part_ - n;
    return n;
  }
  bool isAtEnd() const { return text_.empty(); }

private:
  std::string_view text_;
  size_t part_;
  const size_t size_;
};

} // namespace sluice::rt
