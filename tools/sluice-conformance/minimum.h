// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many tests of a folder must pass at least: tests that vanish, or are skipped, are missed.
#pragma once

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace sluice::conformance {

struct Minimum {
  std::string folder; // as it stands in front of names of tests
  size_t tests = 0;
};

// Numbers in files of this name, in the folder and below.
llvm::Expected<std::vector<Minimum>> findMinima(llvm::StringRef folder,
                                                llvm::StringRef fileName = "minimum.txt");

// One line for each folder of which fewer tests have passed; every test was run `times` times.
std::vector<std::string> missedMinima(const std::vector<Minimum> &minima,
                                      const std::vector<std::string> &passed, size_t times);

} // namespace sluice::conformance
