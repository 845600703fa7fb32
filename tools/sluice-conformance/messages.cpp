// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading of messages, line by line.
#include "tools/sluice-conformance/messages.h"

#include "llvm/ADT/StringExtras.h"

#include <vector>

namespace sluice::conformance {

using llvm::StringRef;

std::string firstError(StringRef messages) {
  StringRef fallback;
  for (StringRef rest = messages; !rest.empty();) {
    auto [line, next] = rest.split('\n');
    if (line.contains("error"))
      return line.str();
    if (fallback.empty())
      fallback = line;
    rest = next;
  }
  return fallback.str();
}

StringRef sanitizerReport(StringRef messages) {
  for (StringRef rest = messages; !rest.empty();) {
    auto [line, next] = rest.split('\n');
    if (line.contains("Sanitizer: ") || line.contains(": runtime error: "))
      return line;
    rest = next;
  }
  return "";
}

// What follows the mark in each line that has it.
static std::vector<StringRef> textsAfter(StringRef mark, StringRef messages) {
  std::vector<StringRef> texts;
  for (StringRef rest = messages; !rest.empty();) {
    auto [line, next] = rest.split('\n');
    size_t at = line.find(mark);
    if (at != StringRef::npos)
      texts.push_back(line.substr(at + mark.size()).trim());
    rest = next;
  }
  return texts;
}

std::string traceDigests(StringRef messages) {
  return llvm::join(textsAfter("trace digest: ", messages), "");
}

} // namespace sluice::conformance
