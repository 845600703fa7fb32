// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is wrong with a checkpoint is found, and an older one taken.
#include "runtime/base/crc32c.h"
#include "runtime/checkpoint/checkpoint_series.h"
#include "runtime/checkpoint/shard_directory.h"
#include "test/runtime/checkpoint/crashing_disk.h"
#include "test/runtime/checkpoint/saved_state.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

constexpr const char *kShard = "/d/c/step-2/rank-0", *kManifest = "/d/c/step-2/MANIFEST";

class CheckpointDamage : public testing::Test {
protected:
  CheckpointDamage() {
    auto series = open();
    for (uint64_t step = 1; step <= 2; ++step) {
      state_.become(step);
      EXPECT_TRUE(series->save(step, 3).ok());
    }
  }
  std::unique_ptr<CheckpointSeries> open(std::string hash = "hash") {
    auto series = CheckpointSeries::open(disk_, "/d/c", {std::move(hash), state_.resources()});
    EXPECT_TRUE(series.ok()) << series.status().toString();
    return std::move(*series);
  }
  // The step that a run goes on from, with the warnings of the others in `warnings_`.
  Result<std::optional<uint64_t>> resume(std::string hash = "hash") {
    warnings_.clear();
    return open(std::move(hash))->resume(3, [this](const std::string &text) {
      warnings_ += text + '\n';
    });
  }
  void expectTheOlderOne() {
    Result<std::optional<uint64_t>> step = resume();
    ASSERT_TRUE(step.ok()) << step.status().toString();
    EXPECT_EQ(*step, std::optional<uint64_t>(1));
    EXPECT_EQ(state_.step(), 1u);
    EXPECT_NE(warnings_.find("'/d/c/step-2' cannot be used: "), std::string::npos) << warnings_;
  }
  void replaceManifest(std::string json) {
    json += '\n';
    disk_.bytes(kManifest) = json + format("crc32c:%08x\n", crc32c(json));
  }
  std::string manifestJson() {
    std::string text = disk_.bytes(kManifest);
    return text.substr(0, text.find('\n'));
  }

  CrashingDisk disk_;
  SavedState state_;
  std::string warnings_;
};

TEST_F(CheckpointDamage, OfAnyByteIsFound) {
  for (const char *path : {kShard, kManifest})
    for (size_t i = 0; i < disk_.bytes(path).size(); ++i)
      for (int bit : {0, 5}) {
        disk_.bytes(path)[i] ^= static_cast<char>(1 << bit);
        expectTheOlderOne();
        ASSERT_FALSE(HasFailure()) << path << ", byte " << i;
        disk_.bytes(path)[i] ^= static_cast<char>(1 << bit);
      }
  EXPECT_EQ(*resume(), std::optional<uint64_t>(2));
}

TEST_F(CheckpointDamage, OfAnyLengthIsFound) {
  for (const char *path : {kShard, kManifest}) {
    std::string whole = disk_.bytes(path);
    for (size_t size :
         {size_t{0}, size_t{1}, whole.size() / 2, whole.size() - 1, whole.size() + 1}) {
      disk_.bytes(path).resize(size);
      expectTheOlderOne();
      ASSERT_FALSE(HasFailure()) << path << ", " << size << " bytes";
      disk_.bytes(path) = whole;
    }
  }
}

TEST_F(CheckpointDamage, AMissingShardIsFoundAndOthersDoNotMatter) {
  std::string shard = disk_.bytes(kShard);
  ASSERT_TRUE((*disk_.create("/d/c/step-2/rank-1"))->write("of another run").ok());
  EXPECT_EQ(*resume(), std::optional<uint64_t>(2));
  ASSERT_TRUE(disk_.removeFile(kShard).ok());
  expectTheOlderOne();
  ASSERT_TRUE((*disk_.create(kShard))->write(shard).ok());
  EXPECT_EQ(*resume(), std::optional<uint64_t>(2));
}

TEST_F(CheckpointDamage, AShardOfAnotherStepIsFound) {
  state_.become(3);
  ASSERT_TRUE(open()->save(3, 3).ok());
  ASSERT_EQ(disk_.bytes("/d/c/step-3/rank-0").size(), disk_.bytes(kShard).size());
  disk_.bytes("/d/c/step-3/rank-0") = disk_.bytes(kShard);
  EXPECT_EQ(*resume(), std::optional<uint64_t>(2));
  EXPECT_NE(warnings_.find("it is not the file that its manifest was written for"),
            std::string::npos)
      << warnings_;
}

TEST_F(CheckpointDamage, AManifestOfAnotherStepIsFound) {
  disk_.bytes(kShard) = disk_.bytes("/d/c/step-1/rank-0");
  disk_.bytes(kManifest) = disk_.bytes("/d/c/step-1/MANIFEST");
  expectTheOlderOne();
}

TEST_F(CheckpointDamage, OfAllIsAnErrorAndNothingHasChanged) {
  disk_.bytes(kShard).back() ^= 1;
  disk_.bytes("/d/c/step-1/MANIFEST").pop_back();
  state_.become(7);
  Result<std::optional<uint64_t>> step = resume();
  EXPECT_EQ(step.status().code(), Code::kDataLoss) << step.status().toString();
  EXPECT_EQ(state_.step(), 7u);
}

TEST_F(CheckpointDamage, ADamagedOneIsReplacedAndLaterOnesGo) {
  {
    auto series = open();
    state_.become(5);
    ASSERT_TRUE(series->save(5, 3).ok());
  }
  disk_.bytes(kShard).back() ^= 1;
  disk_.bytes("/d/c/step-5/rank-0").back() ^= 1;
  {
    auto series = open();
    EXPECT_EQ(*series->resume(3, [](const std::string &) {}), std::optional<uint64_t>(1));
    state_.become(2);
    ASSERT_TRUE(series->save(2, 3).ok());
  }
  EXPECT_EQ(*resume(), std::optional<uint64_t>(2));
  EXPECT_EQ(warnings_, "");
  EXPECT_EQ(disk_.paths().count("/d/c/step-5"), 0u);
}

TEST_F(CheckpointDamage, TheManifestOfANewerFormatIsNoDamage) {
  std::string json = manifestJson();
  replaceManifest(json.replace(json.find("\"format\":1"), 10, "\"format\":2"));
  EXPECT_EQ(resume().status().code(), Code::kUnimplemented);
}

TEST_F(CheckpointDamage, AnotherProgramIsNamed) {
  Result<std::optional<uint64_t>> step = resume("other");
  EXPECT_EQ(step.status().code(), Code::kFailedPrecondition);
  EXPECT_NE(step.status().message().find("expected the hash 'other' but got 'hash'"),
            std::string::npos);
}

TEST_F(CheckpointDamage, SizesThatOverflowAreRefused) {
  for (const char *member : {"\"bytes\":", "\"directory_bytes\":"})
    for (const char *number : {"9223372036854775807", "18446744073709551616", "-1", "1e9"}) {
      std::string json = manifestJson(), whole = disk_.bytes(kManifest);
      size_t at = json.find(member) + std::string_view(member).size();
      replaceManifest(json.replace(at, json.find_first_of(",}", at) - at, number));
      expectTheOlderOne();
      ASSERT_FALSE(HasFailure()) << member << number;
      disk_.bytes(kManifest) = whole;
    }
}

// ---- Directories that say what cannot be, with the right checksums -----------------------------

ShardDirectory smallDirectory() {
  ShardDirectory directory;
  directory.dataBytes = 192;
  directory.objects = {{"variable", "v", {{"value", DType::kF32, Shape{2}, 64, 8}}},
                       {"variable", "w", {{"value", DType::kString, Shape{1}, 128, 9}}}};
  directory.checksums = {1};
  return directory;
}

TEST(ShardDirectory, ComesBackAsItWas) {
  ShardDirectory directory = smallDirectory();
  Result<ShardDirectory> read = decodeShardDirectory(encodeShardDirectory(directory));
  ASSERT_TRUE(read.ok()) << read.status().toString();
  EXPECT_EQ(encodeShardDirectory(*read), encodeShardDirectory(directory));
}

TEST(ShardDirectory, RefusesPlacesAndSizesThatCannotBe) {
  using Change = std::function<void(ShardDirectory &)>;
  auto tensor = [](ShardDirectory &d) -> StoredTensor & { return d.objects[0].tensors[0]; };
  for (const Change &change : std::vector<Change>{
           [&](ShardDirectory &d) { tensor(d).offset = 192; },
           [&](ShardDirectory &d) { tensor(d).offset = 65; },
           [&](ShardDirectory &d) { tensor(d).offset = 128; }, // of the next one
           [&](ShardDirectory &d) { tensor(d).offset = UINT64_MAX - 63; },
           [&](ShardDirectory &d) { tensor(d).bytes = 9; },
           [&](ShardDirectory &d) { tensor(d).bytes = UINT64_MAX; },
           [&](ShardDirectory &d) { tensor(d).shape = Shape{INT64_MAX, INT64_MAX}; },
           [&](ShardDirectory &d) { tensor(d).shape = Shape{int64_t{1} << 62}; },
           [&](ShardDirectory &d) { tensor(d).shape = Shape{-1}; },
           [&](ShardDirectory &d) { tensor(d).dtype = DType::kHandle; },
           [&](ShardDirectory &d) { tensor(d).dtype = DType::kInvalid; },
           [&](ShardDirectory &d) { d.objects[1].tensors[0].shape = Shape{int64_t{1} << 40}; },
           [&](ShardDirectory &d) { d.dataBytes = UINT64_MAX; },
           [&](ShardDirectory &d) { d.dataBytes = 64; },
           [&](ShardDirectory &d) { d.checksums.push_back(2); },
           [&](ShardDirectory &d) { d.checksums.clear(); }}) {
    ShardDirectory directory = smallDirectory();
    change(directory);
    EXPECT_EQ(decodeShardDirectory(encodeShardDirectory(directory)).status().code(),
              Code::kDataLoss)
        << directory.dataBytes << " " << tensor(directory).offset << " " << tensor(directory).bytes;
  }
  std::string bytes = encodeShardDirectory(smallDirectory());
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decodeShardDirectory(std::string_view(bytes).substr(0, size)).ok()) << size;
}

} // namespace
} // namespace sluice::rt
