// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of a device, given back in the order of streams.
//
// Whoever holds memory may let go of it as soon as the last work that uses it is enqueued. Who gets
// it next on the same stream comes later by the order of that stream; on another stream the pool
// makes that stream wait first. So nobody waits for a device in order to allocate, unless there is
// no other memory left.
#pragma once

#include "runtime/base/status.h"
#include "runtime/device/stream.h"

#include <array>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::rt {

class MemoryPool;

// Who used a piece of memory last: the latest moment of each stream, for few streams.
class MemoryUses {
public:
  static constexpr size_t kMost = 4;
  // False, and nothing has changed, if there is no room for another stream.
  bool add(Moment moment);
  bool add(const MemoryUses &others);
  template <typename Over> void removeIf(Over over) {
    size_t kept = 0;
    for (size_t i = 0; i < count_; ++i)
      if (!over(moments_[i]))
        moments_[kept++] = moments_[i];
    count_ = static_cast<uint8_t>(kept);
  }
  const Moment *begin() const { return moments_.data(); }
  const Moment *end() const { return moments_.data() + count_; }
  void clear() { count_ = 0; }

private:
  std::array<Moment, kMost> moments_;
  uint8_t count_ = 0;
};

// Memory that somebody holds; goes back into the pool, which must outlive it.
class DeviceMemory {
public:
  DeviceMemory() = default;
  DeviceMemory(DeviceMemory &&other) noexcept { *this = std::move(other); }
  DeviceMemory &operator=(DeviceMemory &&other) noexcept;
  ~DeviceMemory() { reset(); }

  // An address of the device's. Multiples of MemoryPool::kAlignment; null if there are no bytes.
  void *data() const { return data_; }
  size_t bytes() const { return bytes_; }
  StreamId stream() const { return stream_; }
  // Uses on the stream that it was allocated for need not be noted.
  Status noteUse(Moment use);
  // Whether what is enqueued on that stream from now on comes after all that uses it, if it comes
  // after what first wrote it.
  bool isUsedOnlyOn(StreamId stream) const;
  // What its stream has been given so far may still use it.
  void reset();

private:
  friend class MemoryPool;
  MemoryPool *pool_ = nullptr;
  struct MemoryBlock *block_ = nullptr;
  void *data_ = nullptr;
  size_t bytes_ = 0;
  StreamId stream_ = StreamId::kFirstCompute;
};

class MemoryPool {
public:
  static constexpr size_t kAlignment = 256;
  // Memory comes in pieces of at least so much, and of at most so much more than is asked for.
  static constexpr size_t kLeastChunk = size_t(2) << 20;
  static constexpr size_t kMostGrowth = size_t(256) << 20;

  // Where memory comes from, and what streams can do. Called from any thread. All but awaitIdle are
  // called with the pool's lock held, and may not come back to it.
  class Backing {
  public:
    virtual ~Backing() = default;
    // RESOURCE_EXHAUSTED if there is no more.
    virtual Result<void *> obtain(size_t bytes) = 0;
    virtual void giveBack(void *chunk, size_t bytes) = 0;
    // Of what has been enqueued.
    virtual Moment lastMoment(StreamId stream) const = 0;
    // Without waiting; false also where it is not known.
    virtual bool isOver(Moment moment) = 0;
    virtual Status order(StreamId later, Moment earlier) = 0;
    // For a bounded time, until all that is enqueued has completed.
    virtual Status awaitIdle() = 0;
  };

  struct Counters {
    uint64_t limit = 0; // 0: none
    uint64_t held = 0;  // chunks
    uint64_t inUse = 0, peak = 0;
    uint64_t chunks = 0, largestFree = 0;
  };

  // `device` is the name for messages.
  MemoryPool(Backing &backing, std::string device, uint64_t limit);
  // Gives all chunks back. Nobody may hold memory or use any.
  ~MemoryPool();
  MemoryPool(const MemoryPool &) = delete;
  MemoryPool &operator=(const MemoryPool &) = delete;

  // For work on that stream. `owner` is for messages about who holds what, and must live as long as
  // the memory. RESOURCE_EXHAUSTED then says that. From any thread, as all others.
  Result<DeviceMemory> allocate(size_t bytes, StreamId stream, std::string_view owner);
  Counters counters() const;

  // The chunks stay where they are, for ever: a device that does not end its work may write to
  // them.
  void abandon() { abandoned_ = true; }

private:
  friend class DeviceMemory;
  struct Chunk;
  using Block = MemoryBlock;
  struct BySize {
    using is_transparent = void;
    bool operator()(const Block *a, const Block *b) const;
    bool operator()(const Block *a, size_t bytes) const;
  };

  Status noteUse(Block &block, Moment use);
  Status noteLastUse(Block &block);
  bool isUsedOnlyOn(Block &block, StreamId stream);
  void release(Block &block);
  Result<Block *> takeOrGrow(size_t bytes, StreamId stream, std::unique_lock<std::mutex> &lock);
  Block *choose(size_t bytes, StreamId stream);
  bool waits(Block &block, StreamId stream);
  // Those that are over.
  void forgetUses(Block &block);
  Result<Block *> take(Block &block, size_t bytes, StreamId stream);
  void split(Block &block, size_t bytes);
  void putFree(Block &block);
  void mergeWithNext(Block &block);
  Status grow(size_t bytes);
  Status addChunk(size_t bytes);
  void removeUnused();
  void removeChunk(size_t index);
  void mergeAll();
  // Before the pool grows.
  void mergeWhatIsApart();
  void mergeIfAlike(Block &block);
  std::string holders() const;
  Status exhausted(size_t bytes, std::string_view owner) const;

  Backing &backing_;
  const std::string device_;
  const uint64_t limit_;
  bool abandoned_ = false;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::set<Block *, BySize> free_;
  uint64_t held_ = 0, inUse_ = 0, peak_ = 0;
  bool limitIsTheReason_ = false; // of the last refusal
  bool areSomeApart_ = false;     // free neighbours that other streams have used
};

} // namespace sluice::rt
