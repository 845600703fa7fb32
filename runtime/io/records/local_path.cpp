// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schemes of file systems.
#include "runtime/io/records/local_path.h"

#include <algorithm>

namespace sluice::rt {

Result<std::string> localPath(std::string_view name) {
  constexpr std::string_view kSeparator = "://";
  size_t end = name.find(kSeparator);
  std::string_view scheme = name.substr(0, end);
  auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  auto isOther = [&](char c) { return isLetter(c) || (c >= '0' && c <= '9') || c == '.'; };
  if (end == name.npos || scheme.empty() || !isLetter(scheme.front()) ||
      !std::ranges::all_of(scheme, isOther))
    return std::string(name);
  if (scheme == "file") // what stands before the path is a host, which does not count
    return std::string(name.substr(std::min(name.find('/', end + kSeparator.size()), name.size())));
  return unimplemented("File system scheme '" + std::string(scheme) + "' not implemented (file: '" +
                       std::string(name) + "')");
}

} // namespace sluice::rt
