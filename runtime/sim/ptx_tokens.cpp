// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts PTX into words.
#include "runtime/sim/ptx_tokens.h"

#include <algorithm>
#include <cctype>

namespace sluice::rt::sim {

static bool isWord(char c) {
  return isalnum(static_cast<unsigned char>(c)) ||
         std::string_view("._$%").find(c) != std::string_view::npos;
}

void PtxTokens::drop(size_t end) {
  end = std::min(end, rest_.size());
  line_ += std::count(rest_.begin(), rest_.begin() + end, '\n');
  rest_.remove_prefix(end);
}

void PtxTokens::skip() {
  for (;;) {
    if (!rest_.empty() && isspace(static_cast<unsigned char>(rest_[0])))
      drop(1);
    else if (rest_.starts_with("//"))
      drop(rest_.find('\n'));
    else if (rest_.starts_with("/*"))
      drop(rest_.find("*/") == std::string_view::npos ? rest_.size() : rest_.find("*/") + 2);
    else
      return;
  }
}

// A text in quotes is a word, and so is "shared::cta".
size_t PtxTokens::lengthOfWord() const {
  if (rest_.empty())
    return 0;
  if (rest_[0] == '"')
    return std::min(rest_.find('"', 1), rest_.size() - 1) + 1;
  size_t length = 0;
  while (length < rest_.size())
    if (isWord(rest_[length]))
      ++length;
    else if (length && rest_.substr(length).starts_with("::"))
      length += 2;
    else
      break;
  return std::max<size_t>(length, 1);
}

std::string_view PtxTokens::next() {
  skip();
  std::string_view token = rest_.substr(0, lengthOfWord());
  rest_.remove_prefix(token.size());
  return token;
}

std::string_view PtxTokens::peek() const {
  PtxTokens copy = *this;
  return copy.next();
}

bool PtxTokens::take(std::string_view word) {
  PtxTokens copy = *this;
  if (copy.next() != word)
    return false;
  *this = copy;
  return true;
}

} // namespace sluice::rt::sim
