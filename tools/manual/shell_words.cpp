// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the completion scripts of all shells need.
#include "tools/manual/shell_words.h"

namespace sluice::manual {

ValueKind valueKind(const Flag &flag) {
  std::string_view value = flag.value;
  if (value.starts_with("file") || value.starts_with("FILE"))
    return ValueKind::kFile;
  return value.starts_with("folder") ? ValueKind::kFolder : ValueKind::kFree;
}

std::vector<const Flag *> allFlags(const Manual &manual) {
  std::vector<const Flag *> flags;
  for (const FlagGroup &group : manual.groups)
    for (const Flag &flag : group.flags)
      flags.push_back(&flag);
  return flags;
}

std::string escapedFor(std::string_view special, std::string_view text) {
  std::string out;
  for (char c : text) {
    if (special.find(c) != special.npos)
      out += '\\';
    out += c;
  }
  return out;
}

std::string singleQuoted(std::string_view text) {
  std::string out = "'";
  for (char c : text)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

} // namespace sluice::manual
