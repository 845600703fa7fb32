// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of PTX: names, numbers, and each other character by itself; comments are left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sluice::rt::sim {

class PtxTokens {
public:
  explicit PtxTokens(std::string_view text) : rest_(text) {}
  // Empty at the end.
  std::string_view next();
  std::string_view peek() const;
  // Takes the next word if it is this one.
  bool take(std::string_view word);
  // Of the word that was taken last, from 1.
  uint32_t line() const { return line_; }

private:
  void drop(size_t end);
  void skip();
  size_t lengthOfWord() const;

  std::string_view rest_;
  uint32_t line_ = 1;
};

} // namespace sluice::rt::sim
