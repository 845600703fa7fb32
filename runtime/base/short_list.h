// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists for messages, which must stay short: the first few items, and how many more there are.
#pragma once

#include "runtime/base/status.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace sluice::rt {

class ShortList {
public:
  explicit ShortList(size_t most) : most_(most) {}

  void add(std::string_view item) {
    if (count_++ < most_)
      text_.append(text_.empty() ? "" : ", ").append(item);
  }

  bool empty() const { return count_ == 0; }
  // "a, b and 3 more".
  std::string text() const {
    return count_ > most_ ? text_ + format(" and %zu more", count_ - most_) : text_;
  }

private:
  size_t most_, count_ = 0;
  std::string text_;
};

} // namespace sluice::rt
