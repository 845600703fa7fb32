// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting of arguments.
#include "tools/sluice-run/options.h"

#include <algorithm>
#include <charconv>

namespace sluice::run {

namespace {

// Flags that mean the same for all ranks.
constexpr std::string_view kEveryRankWithValue[] = {
    "--parallel-iterations", "--schedule-seed", "--workers",         "--memory-limit",
    "--device-memory-limit", "--key-file",      "--connect-timeout", "--peer-timeout",
    "--diagnostics-format",  "--trace-limit",   "--timeout",         "--limit",
    "--guard-pages",         "--checkpoint",    "--card-library"};
constexpr std::string_view kEveryRankAlone[] = {"--insecure", "--allow-tf32"};
// Flags that connect the ranks.
constexpr std::string_view kChosenHere[] = {"--peers", "--listen-fd", "--run-id"};
// Flags that a rank answers without the others.
constexpr std::string_view kAskedAlone[] = {"--describe", "--help", "-h", "--version"};

template <size_t N> bool isIn(const std::string_view (&list)[N], std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

class Parser {
public:
  Parser(std::span<char *const> arguments, Options &options)
      : arguments_(arguments), options_(options) {}

  rt::Status run() {
    for (; at_ < arguments_.size(); ++at_)
      SLUICE_RETURN_IF_ERROR(next(arguments_[at_]));
    if (!options_.merged.empty())
      return options_.toMerge.empty()
                 ? rt::invalidArgument(
                       "--merge-traces needs the files to merge after that to write")
                 : rt::okStatus();
    if (options_.manifest.empty() && !options_.help && !options_.version)
      return rt::invalidArgument("expected a manifest; see sluice-run --help");
    return rt::okStatus();
  }

private:
  rt::Status next(std::string_view argument) {
    std::string_view name = argument.substr(0, argument.find('='));
    if (!options_.merged.empty()) {
      options_.toMerge.emplace_back(argument);
      return rt::okStatus();
    }
    if (name == "--log-prefix" || name == "--grace")
      return ours(name);
    if (isIn(kChosenHere, name))
      return rt::invalidArgument(std::string(name) + " is chosen by sluice-run");
    if (options_.manifest.empty())
      return beforeManifest(argument, name);
    if (name == "--trace") {
      SLUICE_ASSIGN_OR_RETURN(options_.trace, value(name));
      return options_.trace.empty() ? rt::invalidArgument("--trace needs a value") : rt::okStatus();
    }
    if (isIn(kEveryRankAlone, name) || isIn(kEveryRankWithValue, name))
      return everyRank(name);
    options_.askedAlone |= isIn(kAskedAlone, argument);
    options_.firstRank.emplace_back(argument);
    return rt::okStatus();
  }

  rt::Status beforeManifest(std::string_view argument, std::string_view name) {
    if (argument == "--help" || argument == "-h")
      options_.help = true;
    else if (argument == "--version")
      options_.version = true;
    else if (name == "--merge-traces") {
      SLUICE_ASSIGN_OR_RETURN(options_.merged, value(name));
      return options_.merged.empty() ? rt::invalidArgument("--merge-traces needs a value")
                                     : rt::okStatus();
    } else if (argument.empty() || argument.starts_with('-'))
      return rt::invalidArgument("expected a manifest before '" + std::string(argument) +
                                 "'; see sluice-run --help");
    else
      options_.manifest = argument;
    return rt::okStatus();
  }

  // The value of the flag at hand, which may be the next argument.
  rt::Result<std::string> value(std::string_view name) {
    std::string_view argument = arguments_[at_];
    if (argument.size() > name.size())
      return std::string(argument.substr(name.size() + 1));
    if (at_ + 1 == arguments_.size() || std::string_view(arguments_[at_ + 1]).starts_with("--"))
      return rt::invalidArgument(std::string(name) + " needs a value");
    return std::string(arguments_[++at_]);
  }

  rt::Status ours(std::string_view name) {
    SLUICE_ASSIGN_OR_RETURN(std::string text, value(name));
    if (name == "--log-prefix") {
      options_.prefix = text == "on";
      if (text == "on" || text == "off")
        return rt::okStatus();
      return rt::invalidArgument("expected --log-prefix to be on or off but got '" + text + "'");
    }
    constexpr double kMostSeconds = 86400;
    const char *last = text.data() + text.size();
    auto [end, error] = std::from_chars(text.data(), last, options_.grace);
    bool good = error == std::errc() && end == last && options_.grace >= 0;
    if (good && options_.grace <= kMostSeconds)
      return rt::okStatus();
    return rt::invalidArgument("expected --grace to be seconds from 0 to 86400 but got '" + text +
                               "'");
  }

  rt::Status everyRank(std::string_view name) {
    if (isIn(kEveryRankAlone, name)) {
      options_.everyRank.emplace_back(arguments_[at_]);
      return rt::okStatus();
    }
    SLUICE_ASSIGN_OR_RETURN(std::string text, value(name));
    if (name == "--diagnostics-format")
      options_.json = text == "json";
    options_.everyRank.push_back(std::string(name) + '=' + text);
    return rt::okStatus();
  }

  std::span<char *const> arguments_;
  Options &options_;
  size_t at_ = 0;
};

} // namespace

rt::Status parseOptions(std::span<char *const> arguments, Options &options) {
  return Parser(arguments, options).run();
}

std::vector<std::string_view> flagsOfEveryRank() {
  std::vector<std::string_view> names(std::begin(kEveryRankWithValue),
                                      std::end(kEveryRankWithValue));
  names.insert(names.end(), std::begin(kEveryRankAlone), std::end(kEveryRankAlone));
  return names;
}

} // namespace sluice::run
