// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files are compared, not names.
#include "tools/sluice-run/written_files.h"

#include "runtime/io/new_file.h"
#include "tools/sluice-run/rank_trace_files.h"

#include <map>
#include <string_view>

namespace sluice::run {

namespace {

// The FILE of NAME=@FILE or NAME=@FILE.npz[KEY]; empty for other outputs.
std::string_view fileOfOutput(std::string_view text) {
  size_t at = text.find("=@");
  if (at == std::string_view::npos)
    return {};
  text.remove_prefix(at + 2);
  size_t bracket = text.find(".npz[");
  return bracket == std::string_view::npos ? text : text.substr(0, bracket + 4);
}

std::vector<std::string> outputsOfFirstRank(const std::vector<std::string> &arguments) {
  std::vector<std::string> files;
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string_view argument = arguments[i], name = argument.substr(0, argument.find('='));
    std::string_view value;
    if (name.size() < argument.size())
      value = argument.substr(name.size() + 1);
    else if (i + 1 < arguments.size())
      value = arguments[i + 1];
    std::string_view file = name == "--save"     ? value
                            : name == "--output" ? fileOfOutput(value)
                                                 : std::string_view();
    if (!file.empty())
      files.emplace_back(file);
  }
  return files;
}

} // namespace

rt::Status checkWrittenFiles(const Options &options, std::span<const Rank> ranks) {
  std::map<std::string, std::string> taken; // by identity: why it may not be written
  taken[rt::fileIdentity(options.manifest)] = "is the manifest of this run";
  for (const Rank &rank : ranks)
    taken[rt::fileIdentity(rank.executable)] = "is an executable of this run";
  auto check = [&](const std::string &path) {
    auto found = taken.find(rt::fileIdentity(path));
    return found == taken.end() ? rt::okStatus()
                                : rt::invalidArgument("'" + path + "' " + found->second);
  };
  for (const std::string &path : outputsOfFirstRank(options.firstRank))
    SLUICE_RETURN_IF_ERROR(check(path));
  if (options.trace.empty())
    return rt::okStatus();
  for (const std::string &path : outputsOfFirstRank(options.firstRank))
    taken[rt::fileIdentity(path)] = "is to be written twice";
  SLUICE_RETURN_IF_ERROR(check(options.trace));
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    SLUICE_RETURN_IF_ERROR(check(traceOfRank(options.trace, rank)));
  return rt::okStatus();
}

} // namespace sluice::run
