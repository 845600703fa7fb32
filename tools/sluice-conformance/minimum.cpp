// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and compares the minima of folders, and what they skip.
#include "tools/sluice-conformance/minimum.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <optional>

namespace sluice::conformance {

using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

// "a/minimum-x.txt" has its list in "a/skipped-x.tsv".
static std::string listOfSkips(StringRef minimumFile) {
  std::string name = path::stem(minimumFile).str();
  StringRef rest = name;
  rest.consume_front("minimum");
  llvm::SmallString<256> file(path::parent_path(minimumFile));
  path::append(file, "skipped" + rest + ".tsv");
  return std::string(file);
}

static Expected<std::map<std::string, std::string>> readSkips(const std::string &file) {
  std::map<std::string, std::string> skips;
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return skips;
  llvm::SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    if (line.starts_with("#"))
      continue;
    auto [test, reason] = line.split('\t');
    if (test.empty() || reason.empty())
      return createStringError("'" + file + "': expected a test, a tab and a reason");
    skips.emplace(test.str(), reason.str());
  }
  return skips;
}

static Error addMinimum(const std::string &file, const std::string &name,
                        std::vector<Minimum> &found) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return llvm::createFileError(file, buffer.getError());
  size_t tests = 0;
  if ((*buffer)->getBuffer().trim().getAsInteger(10, tests))
    return createStringError("'" + file + "': expected a number of tests");
  auto skips = readSkips(listOfSkips(file));
  if (!skips)
    return skips.takeError();
  found.push_back({name, tests, std::move(*skips)});
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

// The name without folder and placement, if the test is in the folder.
static std::optional<std::string> nameIn(const Minimum &minimum, StringRef test) {
  if (!test.consume_front(minimum.folder) || !test.consume_front("/"))
    return std::nullopt;
  return test.split('@').first.str();
}

std::vector<std::string> wrongSkips(const std::vector<Minimum> &minima,
                                    const std::vector<std::string> &passed,
                                    const std::map<std::string, std::string> &skipped) {
  std::vector<std::string> wrong;
  for (const Minimum &minimum : minima) {
    for (const auto &[test, reason] : skipped)
      if (std::optional<std::string> name = nameIn(minimum, test)) {
        auto known = minimum.skips.find(*name);
        if (known == minimum.skips.end() || !StringRef(reason).ends_with(known->second))
          wrong.push_back("failed " + test + ": is skipped: expected its reason in the list of " +
                          minimum.folder + " (skipped*.tsv)");
      }
    for (const std::string &test : passed)
      if (std::optional<std::string> name = nameIn(minimum, test))
        if (minimum.skips.count(*name))
          wrong.push_back("failed " + test + ": passes, but is in the list of what " +
                          minimum.folder + " skips");
  }
  return wrong;
}

} // namespace sluice::conformance
