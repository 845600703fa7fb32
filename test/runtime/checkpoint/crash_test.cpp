// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whenever the machine stops, there is the old checkpoint or the new one, and the next run leaves
// nothing of the one that was being written.
#include "runtime/checkpoint/checkpoint_series.h"
#include "test/runtime/checkpoint/crashing_disk.h"
#include "test/runtime/checkpoint/saved_state.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

constexpr uint64_t kKeep = 2;

std::unique_ptr<CheckpointSeries> open(FileSystem &files, const SavedState &state) {
  auto series = CheckpointSeries::open(files, "/d/c", {"hash", state.resources()});
  EXPECT_TRUE(series.ok()) << series.status().toString();
  return series.ok() ? std::move(*series) : nullptr;
}

// The step that a new run goes on from; nothing if it starts afresh.
std::optional<uint64_t> resumed(CheckpointSeries &series, const SavedState &state) {
  Result<std::optional<uint64_t>> step =
      series.resume(kKeep, [](const std::string &text) { ADD_FAILURE() << text; });
  EXPECT_TRUE(step.ok()) << step.status().toString();
  if (!step.ok() || !*step)
    return std::nullopt;
  EXPECT_EQ(state.step(), *step) << "a mixture";
  return *step;
}

void save(CheckpointSeries &series, SavedState &state, uint64_t step) {
  state.become(step);
  Status status = series.save(step, kKeep);
  EXPECT_TRUE(status.ok()) << status.toString();
}

void expectOnly(const CrashingDisk &disk, std::initializer_list<uint64_t> steps) {
  std::set<std::string> expected{"/d/c"};
  for (uint64_t step : steps) {
    std::string folder = "/d/c/step-" + std::to_string(step);
    expected.insert({folder, folder + "/rank-0", folder + "/MANIFEST"});
  }
  EXPECT_EQ(disk.paths(), expected);
}

TEST(CheckpointCrash, LeavesTheOldOneOrTheNewOne) {
  CrashingDisk disk;
  SavedState state;
  std::vector<size_t> done; // steps of the disk when so many checkpoints were saved
  {
    auto series = open(disk, state);
    ASSERT_TRUE(series);
    done.push_back(disk.steps().size());
    for (uint64_t step = 1; step <= 4; ++step) {
      save(*series, state, step);
      done.push_back(disk.steps().size());
    }
  }
  expectOnly(disk, {3, 4});
  size_t worlds = 0, saved = 0;
  for (size_t at = 0; at <= disk.steps().size(); ++at) {
    while (saved + 1 < done.size() && done[saved + 1] <= at)
      ++saved;
    disk.forEachCrash(at, [&](CrashingDisk &found) {
      ++worlds;
      for (const std::string &path : found.paths())
        if (path.ends_with("/MANIFEST"))
          EXPECT_EQ(found.paths().count(path.substr(0, path.size() - 8) + "rank-0"), 1u)
              << path << " after " << at << " steps has no shard";
      SavedState read;
      auto series = open(found, read);
      ASSERT_TRUE(series);
      uint64_t step = resumed(*series, read).value_or(0);
      EXPECT_GE(step, saved) << "after " << at << " steps: lost";
      EXPECT_LE(step, saved + 1) << "after " << at << " steps";
      save(*series, read, 9);
      save(*series, read, 10);
      expectOnly(found, {9, 10});
      EXPECT_EQ(resumed(*series, read), 10u);
    });
    if (HasFailure())
      return;
  }
  EXPECT_GT(worlds, 200u);
}

TEST(CheckpointCrash, AFullDiskLeavesTheOldOneAndNothingElse) {
  CrashingDisk disk;
  SavedState state;
  auto series = open(disk, state);
  save(*series, state, 1);
  size_t before = disk.steps().size();
  save(*series, state, 2);
  size_t after = disk.steps().size();
  for (size_t at = before; at < after; ++at) {
    CrashingDisk full;
    SavedState own;
    {
      auto other = open(full, own);
      save(*other, own, 1);
      full.failsAfter = at;
      full.failure = Status(Code::kUnavailable, "no space left on device");
      own.become(2);
      Status status = other->save(2, kKeep);
      full.failsAfter = SIZE_MAX;
      // What fails when the checkpoint is there already is only the removal of an older one.
      if (!status.ok())
        EXPECT_EQ(status.message(), "no space left on device");
    }
    auto next = open(full, own);
    uint64_t step = resumed(*next, own).value_or(0);
    EXPECT_TRUE(step == 1 || step == 2) << "after " << at << " steps";
    save(*next, own, 3);
    if (step == 2)
      expectOnly(full, {2, 3});
    else
      expectOnly(full, {1, 3});
  }
}

} // namespace
} // namespace sluice::rt
