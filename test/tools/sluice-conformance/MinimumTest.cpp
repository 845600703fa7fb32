// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder of which too few tests pass is named, and what is skipped without a reason.
#include "tools/sluice-conformance/minimum.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace sluice::conformance;
namespace fs = llvm::sys::fs;

namespace {

using Lines = std::vector<std::string>;

TEST(Minimum, FoldersWithEnoughTestsAreFine) {
  EXPECT_EQ(missedMinima({{"f/a", 2}}, {"f/a/x", "f/a/y", "f/b/z"}, 1), Lines{});
  EXPECT_EQ(missedMinima({{"f/a", 1}}, {"f/a/x@2/1", "f/a/x@2/2"}, 2), Lines{});
}

TEST(Minimum, MissedOnesAreNamed) {
  EXPECT_EQ(missedMinima({{"f/a", 2}, {"f/b", 1}}, {"f/a/x", "f/ab/y", "f/b/z"}, 1),
            Lines{"failed f/a: expected at least 2 passed tests but got 1"});
  EXPECT_EQ(missedMinima({{"f/a", 1}}, {"f/a/x@2/1"}, 2),
            Lines{"failed f/a: expected at least 2 passed tests but got 1"});
}

TEST(Minimum, WhatIsSkippedHasAReasonInTheList) {
  std::vector<Minimum> minima = {{"f/a", 0, {{"x", "op Y"}}}};
  EXPECT_EQ(wrongSkips(minima, {"f/a/z"}, {{"f/a/x", "graph1.pb: op Y"}, {"f/b/v", "op V"}}),
            Lines{});
  EXPECT_EQ(wrongSkips(minima, {}, {{"f/a/x@2/1", "op Y"}}), Lines{});
  EXPECT_EQ(
      wrongSkips(minima, {}, {{"f/a/x", "op Z"}}),
      Lines{"failed f/a/x: is skipped: expected its reason in the list of f/a (skipped*.tsv)"});
  EXPECT_EQ(
      wrongSkips(minima, {}, {{"f/a/v", "op Y"}}),
      Lines{"failed f/a/v: is skipped: expected its reason in the list of f/a (skipped*.tsv)"});
  EXPECT_EQ(wrongSkips(minima, {"f/a/x"}, {}),
            Lines{"failed f/a/x: passes, but is in the list of what f/a skips"});
}

TEST(Minimum, FilesAreFoundBelow) {
  llvm::SmallString<128> root;
  ASSERT_FALSE(fs::createUniqueDirectory("sluice-minimum", root));
  ASSERT_FALSE(fs::create_directories(root + "/a/b"));
  std::error_code code;
  llvm::raw_fd_ostream((root + "/a/b/minimum.txt").str(), code) << "7\n";
  std::vector<Minimum> found = llvm::cantFail(findMinima(root));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].folder, (llvm::sys::path::filename(root) + "/a/b").str());
  EXPECT_EQ(found[0].tests, 7u);
  EXPECT_TRUE(found[0].skips.empty());
  llvm::raw_fd_ostream((root + "/a/b/skipped.tsv").str(), code) << "# of tests\nx\top Y\n";
  EXPECT_EQ(llvm::cantFail(findMinima(root))[0].skips.at("x"), "op Y");
  llvm::raw_fd_ostream((root + "/a/b/skipped.tsv").str(), code) << "x\n";
  EXPECT_TRUE(llvm::errorToBool(findMinima(root).takeError()));
  fs::remove(root + "/a/b/skipped.tsv");
  EXPECT_EQ(llvm::cantFail(findMinima(root, "other.txt")).size(), 0u);
  llvm::raw_fd_ostream((root + "/a/minimum.txt").str(), code) << "many";
  EXPECT_TRUE(llvm::errorToBool(findMinima(root).takeError()));
  fs::remove_directories(root);
}

} // namespace
