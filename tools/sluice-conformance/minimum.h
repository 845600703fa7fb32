// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many tests of a folder must pass at least: tests that vanish, or are skipped, are missed. What
// is skipped stands in a list with its reason, of which a page is made.
#pragma once

#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace sluice::conformance {

struct Minimum {
  std::string folder; // as it stands in front of names of tests
  size_t tests = 0;
  // How the reasons end for which tests are skipped, by names without the folder.
  std::map<std::string, std::string> skips = {};
};

// Numbers in files of this name, in the folder and below. `skipped.tsv` belongs to `minimum.txt`, and
// so on: tests and reasons.
llvm::Expected<std::vector<Minimum>> findMinima(llvm::StringRef folder,
                                                llvm::StringRef fileName = "minimum.txt");

// One line for each folder of which fewer tests have passed; every test was run `times` times.
std::vector<std::string> missedMinima(const std::vector<Minimum> &minima,
                                      const std::vector<std::string> &passed, size_t times);

// One line for each test that is skipped for a reason which is not listed, and for each test that is
// listed and passes. `skipped` gives reasons by names with folders; folders without minimum may skip.
std::vector<std::string> wrongSkips(const std::vector<Minimum> &minima,
                                    const std::vector<std::string> &passed,
                                    const std::map<std::string, std::string> &skipped);

} // namespace sluice::conformance
