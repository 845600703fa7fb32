// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One folder level after the other.
#include "runtime/io/records/matching_paths.h"

#include "runtime/base/cancellation.h"

#include <fnmatch.h>

namespace sluice::rt {

namespace {

// What a folder has that matches, with the folder's own name before it.
Status addMatches(const std::string &folder, const std::string &pattern, Disk &disk,
                  std::vector<std::string> &found) {
  Result<std::vector<std::string>> names = disk.list(folder);
  if (!names.ok())
    return okStatus();
  const std::string prefix = folder.ends_with('/') ? folder : folder + '/';
  for (const std::string &name : *names) {
    if (Cancellation::requestedHere())
      return cancelledWork();
    if (::fnmatch(pattern.c_str(), name.c_str(), 0) == 0)
      found.push_back(prefix + name);
  }
  return okStatus();
}

} // namespace

Result<std::vector<std::string>> matchingPaths(const std::string &pattern, Disk &disk) {
  size_t special = pattern.find_first_of("*?[\\");
  if (special == pattern.npos)
    return disk.exists(pattern) ? std::vector{pattern} : std::vector<std::string>();
  size_t slash = pattern.rfind('/', special);
  size_t begin = slash == pattern.npos ? 0 : slash + 1;
  // Folders are named as the pattern names them: "a" of "a/*", "/" of "/*".
  std::string first = begin == 0 ? "." : pattern.substr(0, std::max<size_t>(slash, 1));
  std::vector<std::string> found = {std::move(first)};
  while (begin < pattern.size()) {
    size_t end = std::min(pattern.find('/', begin), pattern.size());
    const std::string name = pattern.substr(begin, end - begin);
    begin = end + 1;
    if (name.empty()) // a slash too many
      continue;
    std::vector<std::string> folders = std::exchange(found, {});
    for (const std::string &folder : folders)
      SLUICE_RETURN_IF_ERROR(addMatches(folder, name, disk, found));
  }
  return found;
}

} // namespace sluice::rt
