// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of seeds, names of placed tests, and summaries of cuts.
#include "tools/sluice-conformance/placement.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace sluice::conformance;

namespace {

std::vector<uint64_t> seedsOf(llvm::StringRef text) { return llvm::cantFail(parseSeeds(text)); }

TEST(Placement, SeedsAreNumbersAndRanges) {
  EXPECT_EQ(seedsOf("3"), (std::vector<uint64_t>{3}));
  EXPECT_EQ(seedsOf("1-4"), (std::vector<uint64_t>{1, 2, 3, 4}));
  EXPECT_EQ(seedsOf("9,1-2"), (std::vector<uint64_t>{9, 1, 2}));
}

TEST(Placement, EachSeedIsTakenOnce) {
  EXPECT_EQ(seedsOf("2,1-3,2"), (std::vector<uint64_t>{2, 1, 3}));
}

TEST(Placement, OtherTextsAreNoSeeds) {
  for (const char *text : {"", "a", "1-", "-1", "3-1", "1,,2", "1-2-3", "0-99999999"})
    EXPECT_EQ(llvm::toString(parseSeeds(text).takeError()),
              std::string("expected seeds such as 3, 1-5 or 1,2,7-9 but got '") + text + "'");
}

TEST(Placement, NamesSayDevicesAndSeed) {
  EXPECT_EQ((Placement{3, 7, Transport::kTcp}.suffix()), "@3/7");
  EXPECT_EQ((Placement{2, std::nullopt, Transport::kTcp}.suffix()), "@2");
}

class Summary : public testing::Test {
protected:
  llvm::Expected<EdgeCounts> read(llvm::StringRef text) {
    llvm::SmallString<128> file;
    int descriptor;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("summary", "json", descriptor, file));
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << text;
    llvm::Expected<EdgeCounts> counts = readPartitionSummary(std::string(file));
    llvm::sys::fs::remove(file);
    return counts;
  }
};

TEST_F(Summary, CountsAreRead) {
  EdgeCounts counts =
      llvm::cantFail(read(R"({"edges":9,"edges_in_loops":4,"edges_in_nested_loops":1})"));
  EXPECT_EQ(counts.all, 9u);
  EXPECT_EQ(counts.inLoops, 4u);
  EXPECT_EQ(counts.inNestedLoops, 1u);
}

TEST_F(Summary, MissingCountsAreAnError) {
  llvm::Expected<EdgeCounts> counts = read(R"({"edges":9})");
  ASSERT_FALSE(static_cast<bool>(counts));
  EXPECT_NE(llvm::toString(counts.takeError()), "");
}

TEST_F(Summary, MissingFilesAreAnError) {
  llvm::Expected<EdgeCounts> counts = readPartitionSummary("/nowhere/file");
  ASSERT_FALSE(static_cast<bool>(counts));
  EXPECT_NE(llvm::toString(counts.takeError()).find("/nowhere/file"), std::string::npos);
}

} // namespace
