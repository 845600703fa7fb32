// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every recorded test is found, also one that lacks a file; other kinds of program are not.
#include "tools/sluice-conformance/fixture.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace sluice::conformance;
namespace fs = llvm::sys::fs;

namespace {

class Fixtures : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(fs::createUniqueDirectory("sluice-fixtures", root_)); }
  void TearDown() override { fs::remove_directories(root_); }

  void write(llvm::StringRef name, llvm::StringRef text) const {
    llvm::SmallString<128> file(root_);
    llvm::sys::path::append(file, name);
    fs::create_directories(llvm::sys::path::parent_path(file));
    std::error_code code;
    llvm::raw_fd_ostream(file, code) << text;
  }
  std::vector<std::string> found() const {
    std::vector<std::string> names;
    for (const TestLocation &test : llvm::cantFail(findTests(root_)))
      names.push_back(llvm::StringRef(test.name).split('/').second.str());
    return names;
  }

  llvm::SmallString<128> root_;
};

using Names = std::vector<std::string>;

TEST_F(Fixtures, BothFormsAreFound) {
  write("a/graph1.pb", "");
  write("a/runs.json", "{}");
  write("b.pb", "");
  write("b.json", "{}");
  EXPECT_EQ(found(), (Names{"a", "b"}));
}

TEST_F(Fixtures, TestsThatLackAFileAreFound) {
  write("graph/graph1.pb", "");
  write("runs/runs.json", R"({"runs":[{"graph":"graph1.pb"}]})");
  write("damaged/runs.json", "{");
  write("training.json", R"({"graph":"training.pb"})");
  write("alone.pb", "");
  EXPECT_EQ(found(), (Names{"alone", "damaged", "graph", "runs", "training"}));
}

TEST_F(Fixtures, OtherKindsOfProgramAreNot) {
  write("a/runs.json", R"({"runs":[{"inputs":[]}]})");
  write("notes.json", R"({"text":"graph"})");
  write("list.json", "[]");
  EXPECT_EQ(found(), Names{});
}

} // namespace
