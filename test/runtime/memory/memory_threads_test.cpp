// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of several threads and processes: what one thread returns another one gets, figures are
// those of all, and a process never takes more than the limit.
#include "runtime/memory/buffer.h"
#include "runtime/memory/tensor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <fstream>
#include <mutex>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sluice::rt {
namespace {

constexpr uint64_t kMega = 1 << 20;

// Buffers on their way from one thread to another, a few at a time.
class Queue {
public:
  void put(Buffer *buffer) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return buffers_.size() < 100; });
    buffers_.push_back(buffer);
    changed_.notify_all();
  }
  Buffer *take() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return !buffers_.empty(); });
    Buffer *buffer = buffers_.back();
    buffers_.pop_back();
    changed_.notify_all();
    return buffer;
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Buffer *> buffers_;
};

TEST(MemoryThreads, BuffersThatAnotherThreadReturnsDoNotPileUp) {
  constexpr int kWorkers = 3, kBuffers = 20000;
  constexpr size_t kSize = 4000;
  MemoryStats before = memoryStats();
  Queue queue;
  std::vector<std::thread> workers;
  for (int i = 0; i < kWorkers; ++i)
    workers.emplace_back([&] {
      for (int k = 0; k < kBuffers; ++k) {
        Buffer *buffer = Buffer::allocate(kSize);
        std::memset(buffer->data(), k, kSize);
        queue.put(buffer);
      }
    });
  for (int i = 0; i < kWorkers * kBuffers; ++i) {
    Buffer *buffer = queue.take();
    auto *bytes = static_cast<const char *>(buffer->data());
    ASSERT_EQ(std::memcmp(bytes, bytes + 1, kSize - 1), 0); // nobody else has it
    buffer->release();
  }
  for (std::thread &worker : workers)
    worker.join();
  MemoryStats after = memoryStats();
  EXPECT_EQ(after.liveBytes, before.liveBytes);
  EXPECT_EQ(after.allocations - before.allocations, uint64_t{kWorkers * kBuffers});
  EXPECT_LT(after.heldBytes, before.heldBytes + 5 * kMega); // all that was made are 240 MB
}

TEST(MemoryThreads, BlocksOfAThreadThatEndsAreThereForOthers) {
  auto work = [] {
    std::vector<Tensor> tensors;
    for (int64_t size = 17; size < 20000; size += 50)
      tensors.push_back(*Tensor::allocate(DType::kU8, Shape{size}));
  };
  std::thread(work).join();
  uint64_t fromSystem = memoryStats().systemAllocations;
  MemoryStats before = memoryStats();
  for (int i = 0; i < 20; ++i)
    std::thread(work).join();
  EXPECT_EQ(memoryStats().systemAllocations, fromSystem);
  EXPECT_EQ(memoryStats().liveBytes, before.liveBytes);
}

// The last of its buffers goes when its other thread-local objects do.
TEST(MemoryThreads, ThreadsMayReturnBuffersAtTheirEnd) {
  struct Late {
    Buffer *buffer = nullptr;
    ~Late() {
      buffer->release();
      Buffer::allocate(100)->release();
      Buffer::allocate(100000)->release();
    }
  };
  MemoryStats before = memoryStats();
  std::thread([] {
    static thread_local Late late; // made first, so it ends last
    late.buffer = Buffer::allocate(1000);
  }).join();
  EXPECT_EQ(memoryStats().liveBytes, before.liveBytes);
  EXPECT_EQ(memoryStats().allocations - before.allocations, 3u);
}

TEST(MemoryThreads, ManyAtOnceHaveMemoryOfTheirOwn) {
  MemoryStats before = memoryStats();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([i] {
      Buffer *live[16] = {};
      auto size = [](int k) { return static_cast<size_t>(k * 37 % 5000 + (k % 100 ? 0 : 100000)); };
      int made[16] = {};
      for (int k = 0; k < 20000; ++k) {
        Buffer *&place = live[k * 7 % 16];
        if (place) {
          auto *bytes = static_cast<const char *>(place->data());
          size_t last = size(made[k * 7 % 16]);
          EXPECT_TRUE(last == 0 || (bytes[0] == i && bytes[last - 1] == i));
          place->release();
        }
        made[k * 7 % 16] = k;
        place = Buffer::allocate(size(k));
        std::memset(place->data(), i, size(k));
      }
      for (Buffer *buffer : live)
        buffer->release();
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(memoryStats().liveBytes, before.liveBytes);
}

// Also while another thread works with memory.
TEST(MemoryThreads, AChildOfAForkHasMemory) {
  std::atomic<bool> stops{false};
  std::thread other([&] {
    while (!stops)
      for (size_t size : {100, 5000, 100000})
        Buffer::allocate(size)->release();
  });
  for (int i = 0; i < 20; ++i) {
    pid_t child = ::fork();
    if (child == 0) {
      ::alarm(20);
      for (size_t size = 1; size < kMega; size *= 2)
        for (int k = 0; k < 100; ++k)
          Buffer::allocate(size)->release();
      ::_exit(3);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 3) << status;
  }
  stops = true;
  other.join();
}

// ---- The limit ----------------------------------------------------------------------------------

// The most that this process ever took of the machine's memory; 0 where the system does not tell,
// or a sanitizer takes some for each byte.
uint64_t mostResident() {
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
  return 0;
#endif
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;)
    if (uint64_t kilobytes; word == "VmHWM:" && file >> kilobytes)
      return kilobytes << 10;
  return 0;
}

// Exit code of a process of its own, which begins with little.
int codeOfProcess(int (*work)()) {
  pid_t child = ::fork();
  if (child == 0)
    ::_exit(work());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

// Takes what it gets, in sizes that change, on several threads, and touches all of it.
void takeAll(uint64_t seed) {
  std::vector<Buffer *> live;
  for (int round = 0; round < 12; ++round) {
    size_t size = size_t{24} << ((seed + static_cast<uint64_t>(round) * 5) % 18);
    for (int i = 0; i < 20000; ++i) {
      Buffer *buffer = Buffer::allocate(size + static_cast<size_t>(i % 7) * size / 8);
      if (!buffer)
        break;
      std::memset(buffer->data(), 1, buffer->bytes());
      live.push_back(buffer);
    }
    // Most go, in another order.
    for (size_t i = 0; i < live.size(); i += 1 + (i % 3 == 0))
      std::exchange(live[i], nullptr)->release();
    std::erase(live, nullptr);
  }
  for (Buffer *buffer : live)
    buffer->release();
}

TEST(MemoryThreads, AProcessNeverTakesMoreThanTheLimit) {
  if (mostResident() == 0)
    GTEST_SKIP() << "the system does not tell how much memory a process takes";
  EXPECT_EQ(codeOfProcess([] {
              constexpr uint64_t kLimit = 96 * kMega;
              constexpr uint64_t kOther = 16 * kMega; // stacks, and lists of pointers of the test
              setMemoryLimit(1);                      // what tests before have left free
              std::ofstream("/proc/self/clear_refs") << 5;
              uint64_t before = mostResident(), held = memoryStats().heldBytes;
              setMemoryLimit(held + kLimit);
              std::vector<std::thread> threads;
              for (uint64_t seed = 0; seed < 3; ++seed)
                threads.emplace_back(takeAll, seed);
              for (std::thread &thread : threads)
                thread.join();
              if (memoryStats().peakHeldBytes < held + kLimit * 9 / 10)
                return 1; // the limit was not reached
              return mostResident() < before + kLimit + kOther ? 0 : 2;
            }),
            0);
}

} // namespace
} // namespace sluice::rt
