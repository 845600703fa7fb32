// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and compares the minima of folders.
#include "tools/sluice-conformance/minimum.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace sluice::conformance {

using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static Error addMinimum(const std::string &file, const std::string &name,
                        std::vector<Minimum> &found) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return llvm::createFileError(file, buffer.getError());
  size_t tests = 0;
  if ((*buffer)->getBuffer().trim().getAsInteger(10, tests))
    return createStringError("'" + file + "': expected a number of tests");
  found.push_back({name, tests});
  return Error::success();
}

static Error findIn(const std::string &folder, const std::string &name, StringRef fileName,
                    std::vector<Minimum> &found) {
  std::error_code code;
  for (fs::directory_iterator it(folder, code), end; it != end && !code; it.increment(code)) {
    StringRef entry = path::filename(it->path());
    Error error = Error::success();
    if (entry == fileName)
      error = addMinimum(it->path(), name, found);
    else if (fs::is_directory(it->path()))
      error = findIn(it->path(), name + "/" + entry.str(), fileName, found);
    if (error)
      return error;
  }
  return Error::success();
}

Expected<std::vector<Minimum>> findMinima(StringRef folder, StringRef fileName) {
  llvm::SmallString<256> absolute(folder);
  if (std::error_code code = fs::make_absolute(absolute))
    return llvm::createFileError(folder, code);
  path::remove_dots(absolute, /*remove_dot_dot=*/true);
  std::vector<Minimum> found;
  if (Error error = findIn(std::string(absolute), path::filename(absolute).str(), fileName, found))
    return std::move(error);
  llvm::sort(found, [](const Minimum &a, const Minimum &b) { return a.folder < b.folder; });
  return found;
}

std::vector<std::string> missedMinima(const std::vector<Minimum> &minima,
                                      const std::vector<std::string> &passed, size_t times) {
  std::vector<std::string> missed;
  for (const Minimum &minimum : minima) {
    std::string prefix = minimum.folder + "/";
    size_t wanted = minimum.tests * times;
    auto got = static_cast<size_t>(llvm::count_if(
        passed, [&](const std::string &name) { return StringRef(name).starts_with(prefix); }));
    if (got < wanted)
      missed.push_back("failed " + minimum.folder + ": expected at least " +
                       std::to_string(wanted) + " passed tests but got " + std::to_string(got));
  }
  return missed;
}

} // namespace sluice::conformance
