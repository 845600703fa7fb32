// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread reads, the other one checks; between them are a few buffers.
#include "runtime/checkpoint/shard_blocks.h"

#include "runtime/base/crc32c.h"
#include "runtime/base/threads.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace sluice::rt {

namespace {

class BlockReader {
public:
  BlockReader(InputFile &file, const std::string &path, const ShardDirectory &directory,
              const std::function<void(const char *, uint64_t, size_t)> &see)
      : file_(file), path_(path), directory_(directory), see_(see) {}

  Status readAll() {
    std::unique_ptr<ThreadHandle> checker;
    if (usableProcessors() > 1 && count() > 1)
      checker = systemThreads().start("sluice-checks", [this] { checkAll(); });
    for (size_t block = 0; block < count() && awaitRoom(block); ++block) {
      Status status = read(block);
      if (status.ok() && !checker)
        status = check(block);
      if (!status.ok())
        end(std::move(status));
      else if (checker)
        note(read_);
    }
    checker.reset(); // which has seen all that was read
    return status_;
  }

private:
  static constexpr size_t kBuffers = 4;

  size_t count() const { return directory_.checksums.size(); }
  uint64_t begin(size_t block) const { return block * kShardBlockBytes; }
  size_t size(size_t block) const {
    return static_cast<size_t>(std::min(kShardBlockBytes, directory_.dataBytes - begin(block)));
  }
  char *buffer(size_t block) { return buffers_[block % kBuffers].data(); }

  Status read(size_t block) {
    std::string &buffer = buffers_[block % kBuffers];
    buffer.resize(kShardBlockBytes);
    return file_.read(begin(block), buffer.data(), size(block));
  }

  Status check(size_t block) {
    if (crc32c({buffer(block), size(block)}) != directory_.checksums[block])
      return {Code::kDataLoss, "'" + path_ + "' is damaged: its bytes from " +
                                   std::to_string(begin(block)) + " on have another checksum"};
    see_(buffer(block), begin(block), size(block));
    return {};
  }

  void checkAll() {
    for (size_t block = 0; block < count() && awaitRead(block); ++block) {
      if (Status status = check(block); !status.ok())
        end(std::move(status));
      note(checked_);
    }
  }

  bool awaitRoom(size_t block) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return ended_ || block < checked_ + kBuffers || read_ == 0; });
    return !ended_;
  }
  bool awaitRead(size_t block) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return ended_ || block < read_; });
    return !ended_;
  }
  void note(size_t &counter) {
    std::lock_guard<std::mutex> lock(mutex_);
    ++counter;
    changed_.notify_all();
  }
  void end(Status status) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (status_.ok())
      status_ = std::move(status);
    ended_ = true;
    changed_.notify_all();
  }

  InputFile &file_;
  const std::string &path_;
  const ShardDirectory &directory_;
  const std::function<void(const char *, uint64_t, size_t)> &see_;
  std::array<std::string, kBuffers> buffers_;
  std::mutex mutex_; // of what follows
  std::condition_variable changed_;
  size_t read_ = 0, checked_ = 0; // blocks; without a second thread nobody counts
  bool ended_ = false;
  Status status_;
};

} // namespace

Status readShardBlocks(InputFile &file, const std::string &path, const ShardDirectory &directory,
                       const std::function<void(const char *, uint64_t, size_t)> &see) {
  return BlockReader(file, path, directory, see).readAll();
}

} // namespace sluice::rt
