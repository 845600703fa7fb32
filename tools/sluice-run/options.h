// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of sluice-run: which arguments are its own, which go to every rank, and which
// only to rank 0.
#pragma once

#include "runtime/base/status.h"
#include "tools/manual/manual.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::run {

struct Options {
  bool help = false;
  bool version = false;
  bool prefix = true;      // lines of ranks start with the rank
  bool json = false;       // form of our own errors
  bool askedAlone = false; // rank 0 only tells something about itself
  double grace = 5;        // seconds
  std::string trace;       // where the merged trace of all ranks goes; empty: there is none
  // Instead of starting anything: what to write, and from which files.
  std::string merged;
  std::vector<std::string> toMerge;
  std::string manifest;
  std::vector<std::string> everyRank;
  std::vector<std::string> firstRank;
};

// INVALID_ARGUMENT for every kind of misuse of what is our own; the ranks check theirs.
rt::Status parseOptions(std::span<char *const> arguments, Options &options);

std::vector<std::string_view> flagsOfEveryRank();

manual::Manual runManual();

} // namespace sluice::run
