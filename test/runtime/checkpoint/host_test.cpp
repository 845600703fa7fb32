// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checkpoints on the disk of this machine: mappings, locks, links, folders that cannot be written.
#include "runtime/base/held_memory.h"
#include "runtime/checkpoint/checkpoint_series.h"
#include "runtime/checkpoint/shard_directory.h"
#include "runtime/memory/guard_pages.h"
#include "test/runtime/checkpoint/saved_state.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace sluice::rt {
namespace {

namespace fs = std::filesystem;

class HostCheckpoint : public testing::Test {
protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "/sluice-checkpoint-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
    folder_ = name + "/c";
  }
  void TearDown() override { fs::remove_all(root_); }

  Result<std::unique_ptr<CheckpointSeries>> open(const SavedState &state) {
    return CheckpointSeries::open(files_, folder_, {"hash", state.resources()});
  }
  void save(SavedState &state, uint64_t step) {
    auto series = open(state);
    ASSERT_TRUE(series.ok()) << series.status().toString();
    state.become(step);
    Status status = (*series)->save(step, 3);
    ASSERT_TRUE(status.ok()) << status.toString();
  }
  Result<std::optional<uint64_t>> resume(const SavedState &state) {
    SLUICE_ASSIGN_OR_RETURN(auto series, open(state));
    return series->resume(3, [this](const std::string &text) { warnings_ += text; });
  }

  HostFileSystem files_;
  fs::path root_;
  std::string folder_, warnings_;
};

constexpr int64_t kLarge = 700'001; // floats: more than a tensor that is mapped has

TEST_F(HostCheckpoint, LargeTensorsAreTheFile) {
  SavedState state(kLarge), read(kLarge);
  save(state, 3);
  uint64_t before = heldMemory();
  EXPECT_EQ(*resume(read), std::optional<uint64_t>(3));
  EXPECT_EQ(read.step(), 3u);
  EXPECT_GE(heldMemory() - before, uint64_t{kLarge} * sizeof(float)) << "they are not counted";
  Tensor &weights = read.variable(0)->value;
  uintptr_t at = reinterpret_cast<uintptr_t>(weights.raw());
  EXPECT_EQ(at % kShardPage, 0u);
  std::ifstream maps("/proc/self/maps");
  std::string line, found;
  while (std::getline(maps, line))
    if (std::stoull(line, nullptr, 16) == at)
      found = line;
  EXPECT_NE(found.find("step-3/rank-0"), std::string::npos) << found;

  // What is written stays here, also when the file is gone.
  ASSERT_TRUE(weights.solelyOwned());
  weights.data<float>()[5] = 77;
  fs::remove_all(folder_ + "/step-3/rank-0");
  EXPECT_EQ(weights.data<float>()[5], 77);
  EXPECT_EQ(weights.data<float>()[kLarge - 1], 3);
}

TEST_F(HostCheckpoint, WhatIsWrittenToAMappedTensorDoesNotReachTheFile) {
  SavedState state(kLarge), read(kLarge);
  save(state, 3);
  ASSERT_TRUE(resume(read).ok());
  read.variable(0)->value.data<float>()[0] = 77;
  SavedState again(kLarge);
  EXPECT_EQ(*resume(again), std::optional<uint64_t>(3));
  EXPECT_EQ(again.step(), 3u);
}

TEST_F(HostCheckpoint, OfOneWriterRefusesAnother) {
  SavedState state;
  save(state, 1);
  auto first = open(state);
  ASSERT_TRUE(first.ok());
  auto second = open(state);
  EXPECT_EQ(second.status().code(), Code::kFailedPrecondition);
  EXPECT_NE(second.status().message().find("another process"), std::string::npos);
  first->reset();
  EXPECT_TRUE(open(state).ok());
}

TEST_F(HostCheckpoint, InAFolderThatIsALink) {
  fs::create_directory(root_ / "elsewhere");
  fs::create_directory_symlink(root_ / "elsewhere", folder_);
  SavedState state, read;
  save(state, 1);
  EXPECT_TRUE(fs::exists(root_ / "elsewhere/step-1/MANIFEST"));
  EXPECT_EQ(*resume(read), std::optional<uint64_t>(1));
}

TEST_F(HostCheckpoint, DoesNotFollowLinksWithinTheFolder) {
  SavedState state;
  save(state, 1);
  fs::rename(folder_ + "/step-1", root_ / "moved");
  fs::create_directory_symlink(root_ / "moved", folder_ + "/step-1");
  EXPECT_EQ(open(state).status().code(), Code::kFailedPrecondition);
  EXPECT_TRUE(fs::exists(root_ / "moved/MANIFEST"));
  fs::remove(folder_ + "/step-1");
  fs::rename(root_ / "moved", folder_ + "/step-1");
  fs::rename(folder_ + "/step-1/rank-0", root_ / "shard");
  fs::create_symlink(root_ / "shard", folder_ + "/step-1/rank-0");
  EXPECT_EQ(resume(state).status().code(), Code::kDataLoss);
  EXPECT_NE(warnings_.find("rank-0"), std::string::npos) << warnings_;
}

TEST_F(HostCheckpoint, WhatIsNoFileIsDamage) {
  SavedState state;
  save(state, 1);
  save(state, 2);
  for (const char *name : {"/step-2/rank-0", "/step-2/MANIFEST"}) {
    fs::remove_all(folder_ + name);
    fs::create_directory(folder_ + name);
    auto resumed = resume(state);
    ASSERT_TRUE(resumed.ok()) << resumed.status().toString();
    EXPECT_EQ(*resumed, std::optional<uint64_t>(1)) << name;
    EXPECT_NE(warnings_.find("expected a regular file"), std::string::npos) << warnings_;
    warnings_.clear();
  }
}

TEST_F(HostCheckpoint, LeavesFilesOfOthers) {
  SavedState state;
  save(state, 1);
  std::ofstream(folder_ + "/notes") << "mine";
  std::ofstream(folder_ + "/step-1/notes") << "mine";
  fs::create_directory(folder_ + "/step-01");
  fs::create_directory(folder_ + "/step-2"); // of a writer that was killed
  std::ofstream(folder_ + "/step-2/rank-0") << "half";
  auto series = open(state);
  ASSERT_TRUE(series.ok());
  EXPECT_FALSE(fs::exists(folder_ + "/step-2"));
  for (uint64_t step = 3; step < 7; ++step) {
    state.become(step);
    ASSERT_TRUE((*series)->save(step, 1).ok());
  }
  EXPECT_TRUE(fs::exists(folder_ + "/notes"));
  EXPECT_TRUE(fs::exists(folder_ + "/step-01"));
  EXPECT_TRUE(fs::exists(folder_ + "/step-1/notes"));
  EXPECT_FALSE(fs::exists(folder_ + "/step-1/rank-0"));
  EXPECT_FALSE(fs::exists(folder_ + "/step-5"));
}

TEST_F(HostCheckpoint, WithoutAFolderOrInAFile) {
  SavedState state;
  folder_ = root_ / "a/b";
  EXPECT_EQ(open(state).status().code(), Code::kNotFound);
  folder_ = root_ / "file";
  std::ofstream(folder_) << "text";
  EXPECT_EQ(open(state).status().code(), Code::kNotFound);
  folder_ = "";
  EXPECT_EQ(open(state).status().code(), Code::kNotFound);
}

TEST_F(HostCheckpoint, OfListsIsRefusedBeforeAnythingRuns) {
  auto list = Ref<Object>::adopt(new Variable("l", DType::kHandle, Shape{}));
  LastingResource resource{"variable", "l", static_cast<Variable *>(list.get())};
  auto series = CheckpointSeries::open(files_, folder_, {"hash", {&resource, 1}});
  EXPECT_EQ(series.status().code(), Code::kUnimplemented);
  EXPECT_NE(series.status().message().find("'l'"), std::string::npos);
}

} // namespace
} // namespace sluice::rt
