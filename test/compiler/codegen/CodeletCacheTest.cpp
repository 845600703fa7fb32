// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the cache of codelets' code gives, what it trusts, and what it forgets.
#include "compiler/codegen/CodeletCache.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

#include <chrono>
#include <cstdlib>
#include <fstream>

using namespace llvm;

namespace sluice::codegen {
namespace {

class CodeletCacheTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("codelets", folder_));
    sys::path::append(folder_, "made", "later");
  }
  void TearDown() override {
    sys::fs::remove_directories(sys::path::parent_path(sys::path::parent_path(folder_)));
  }

  // What it gives for the key; counts what is compiled.
  FailureOr<BatchCode> get(StringRef key, std::string object = "code") {
    CodeletCache cache{std::string(folder_)};
    return cache.get(key, [&]() -> FailureOr<BatchCode> {
      ++compiled_;
      return BatchCode{{"twin", std::move(object)}, {std::nullopt, 7}};
    });
  }
  // The files of what is kept.
  std::vector<std::string> files() const {
    std::vector<std::string> found;
    std::error_code error;
    for (sys::fs::directory_iterator file(folder_, error), end; file != end && !error;
         file.increment(error))
      if (sys::path::filename(file->path()) != "llvmcache.timestamp")
        found.push_back(file->path());
    return found;
  }

  SmallString<128> folder_;
  int compiled_ = 0;
};

TEST_F(CodeletCacheTest, GivesWhatWasCompiled) {
  ASSERT_TRUE(succeeded(get("key", std::string("a\0b", 3))));
  FailureOr<BatchCode> again = get("key", "other");
  ASSERT_TRUE(succeeded(again));
  EXPECT_EQ(compiled_, 1);
  EXPECT_EQ(again->objects, (std::vector<std::string>{"twin", std::string("a\0b", 3)}));
  EXPECT_EQ(again->codeBytes, (std::vector<std::optional<uint64_t>>{std::nullopt, 7}));
}

TEST_F(CodeletCacheTest, TellsKeysApart) {
  ASSERT_TRUE(succeeded(get("one")));
  ASSERT_TRUE(succeeded(get("two")));
  EXPECT_EQ(compiled_, 2);
  EXPECT_EQ(files().size(), 2u);
}

TEST_F(CodeletCacheTest, TrustsNoFileThatIsNotWhatWasWritten) {
  ASSERT_TRUE(succeeded(get("key")));
  ASSERT_EQ(files().size(), 1u);
  std::string path = files()[0];
  std::ifstream in(path, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  ASSERT_GT(whole.size(), 30u);
  std::vector<std::string> others{"", "x", whole + "x"};
  for (size_t i = 0; i < whole.size(); ++i) {
    others.push_back(whole.substr(0, i));
    others.push_back(whole);
    others.back()[i] ^= 0x20;
  }
  int expected = 1;
  for (const std::string &other : others) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << other;
    FailureOr<BatchCode> code = get("key");
    ASSERT_TRUE(succeeded(code));
    EXPECT_EQ(code->objects, (std::vector<std::string>{"twin", "code"}));
    EXPECT_EQ(compiled_, ++expected);
  }
}

// As if two keys had the same hash.
TEST_F(CodeletCacheTest, LooksAtTheKeyItself) {
  ASSERT_TRUE(succeeded(get("one")));
  std::string one = files()[0];
  ASSERT_TRUE(succeeded(get("two")));
  for (const std::string &path : files())
    if (path != one) {
      ASSERT_FALSE(sys::fs::copy_file(one, path));
    }
  ASSERT_TRUE(succeeded(get("two")));
  EXPECT_EQ(compiled_, 3);
}

TEST_F(CodeletCacheTest, CompilesWhereNothingCanBeKept) {
  folder_ = "/proc/there/is/no/such/folder";
  ASSERT_TRUE(succeeded(get("key")));
  ASSERT_TRUE(succeeded(get("key")));
  EXPECT_EQ(compiled_, 2);
  folder_ = "";
  ASSERT_TRUE(succeeded(get("key")));
  EXPECT_EQ(compiled_, 3);
  ASSERT_FALSE(sys::fs::createUniqueDirectory("codelets", folder_));
  sys::path::append(folder_, "a", "b");
}

TEST_F(CodeletCacheTest, KeepsNoFailure) {
  CodeletCache cache{std::string(folder_)};
  EXPECT_TRUE(failed(cache.get("key", [] { return FailureOr<BatchCode>(failure()); })));
  EXPECT_TRUE(files().empty());
}

TEST_F(CodeletCacheTest, ForgetsWhatIsOld) {
  ASSERT_TRUE(succeeded(get("key")));
  std::string path = files()[0];
  int file;
  ASSERT_FALSE(
      sys::fs::openFileForReadWrite(path, file, sys::fs::CD_OpenExisting, sys::fs::OF_None));
  auto old = std::chrono::system_clock::now() - std::chrono::hours(24 * 8);
  ASSERT_FALSE(sys::fs::setLastAccessAndModificationTime(
      file, std::chrono::time_point_cast<std::chrono::nanoseconds>(old)));
  ASSERT_FALSE(sys::fs::closeFile(file));
  SmallString<128> timestamp(folder_);
  sys::path::append(timestamp, "llvmcache.timestamp");
  sys::fs::remove(timestamp); // as if the last look were long ago
  ASSERT_TRUE(succeeded(get("other")));
  EXPECT_FALSE(sys::fs::exists(path));
}

TEST_F(CodeletCacheTest, IsInTheUsualFolder) {
  ::setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(CodeletCache::usualFolder(), "/somewhere/sluice");
  ::setenv("XDG_CACHE_HOME", "not/absolute", 1);
  ::setenv("HOME", "/home/of/nobody", 1);
  EXPECT_EQ(CodeletCache::usualFolder(), "/home/of/nobody/.cache/sluice");
  ::unsetenv("HOME");
  EXPECT_EQ(CodeletCache::usualFolder(), "");
}

} // namespace
} // namespace sluice::codegen
