// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of exit codes is complete, and its numbers stay what scripts know.
#include "runtime/base/exit_codes.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice::rt {
namespace {

TEST(ExitCodes, NumbersStayAsTheyAre) {
  std::vector<int> numbers;
  for (const ExitMeaning &exit : kExitMeanings)
    numbers.push_back(static_cast<int>(exit.code));
  EXPECT_EQ(numbers, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 14, 70}));
}

TEST(ExitCodes, EveryCodeHasANameAndAMeaning) {
  for (const ExitMeaning &exit : kExitMeanings) {
    EXPECT_FALSE(exit.name.empty()) << static_cast<int>(exit.code);
    EXPECT_FALSE(exit.ofCompiler.empty() && exit.ofExecutable.empty()) << exit.name;
    // sluice-run passes on what a rank ends with.
    EXPECT_EQ(exit.ofExecutable.empty(), exit.ofLauncher.empty()) << exit.name;
  }
}

} // namespace
} // namespace sluice::rt
