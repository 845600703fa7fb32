// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a whole sweep has to fulfil beyond its tests.
#include "tools/sluice-conformance/report.h"

#include "gtest/gtest.h"

using namespace sluice::conformance;

namespace {

// Whether a sweep of two tests is good of which one sends values inside loops.
bool isGood(size_t leastCutInLoops, Verdict other) {
  Report report({"cut", "whole"}, {.countsCuts = true, .leastCutInLoops = leastCutInLoops});
  Outcome cut;
  cut.verdict = Verdict::kPassed;
  cut.cut = {.all = 3, .inLoops = 2, .inNestedLoops = 0};
  report.add(0, cut);
  Outcome whole;
  whole.verdict = other;
  report.add(1, whole);
  return report.finish(/*minima=*/{}, /*times=*/1);
}

TEST(Report, FailsWithoutEnoughCutsInLoops) {
  EXPECT_TRUE(isGood(0, Verdict::kPassed));
  EXPECT_TRUE(isGood(1, Verdict::kPassed));
  EXPECT_FALSE(isGood(2, Verdict::kPassed));
}

TEST(Report, TestsWithoutGradientsLeaveNoTrace) {
  EXPECT_TRUE(isGood(1, Verdict::kNotCounted));
  Report report({"none"}, {});
  Outcome outcome;
  outcome.verdict = Verdict::kNotCounted;
  report.add(0, outcome);
  EXPECT_TRUE(report.finish(/*minima=*/{}, /*times=*/1));
  EXPECT_FALSE(report.counted());
}

TEST(Report, FailsWithATest) { EXPECT_FALSE(isGood(1, Verdict::kFailed)); }

} // namespace
