// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stocks of threads, and figures, which are sums over all threads.
#include "runtime/memory/thread_blocks.h"

#include "runtime/base/held_memory.h"
#include "runtime/memory/kept_forms.h"

#include <mutex>
#include <new>
#include <pthread.h>

namespace sluice::rt {

constinit thread_local ThreadBlocks *ThreadBlocks::mine_ = nullptr;

namespace {
// Live as long as the process: blocks are returned by objects that outlive main.
constinit CentralBlocks central;
constinit std::mutex threadsMutex;
constinit ThreadBlocks *threads = nullptr;
constinit thread_local bool hasEnded = false;

// What threads have told, and threads that have ended.
constinit std::atomic<uint64_t> takenByOthers{0};
constinit std::atomic<int64_t> liveTold{0}, peakTold{0};

void raisePeak(int64_t live) {
  for (int64_t seen = peakTold.load(std::memory_order_relaxed);
       seen < live && !peakTold.compare_exchange_weak(seen, live, std::memory_order_relaxed);) {
  }
}

// Free bytes that a thread may have.
int64_t mostFreeInThread() {
  constexpr uint64_t kMost = 1 << 20, kLeast = 32 << 10, kShare = 256;
  uint64_t limit = heldMemoryLimit();
  return static_cast<int64_t>(limit ? std::clamp(limit / kShare, kLeast, kMost) : kMost);
}

void giveBack(GiveBack what) {
  if (what == GiveBack::kUseful)
    KeptForms::giveBack();
  if (ThreadBlocks *mine = ThreadBlocks::mine())
    mine->putAll();
  central.giveBackAll();
}

// In the child of a fork only the one thread is left, and no lock is held by another.
void prepareForForks() {
  static std::atomic_flag isDone = ATOMIC_FLAG_INIT;
  if (isDone.test_and_set())
    return;
  giveBackMemoryWith(giveBack);
  auto unlock = [] {
    central.unlock();
    threadsMutex.unlock();
    KeptForms::unlock();
  };
  ::pthread_atfork(
      [] {
        KeptForms::lock();
        threadsMutex.lock();
        central.lock();
      },
      unlock, unlock);
}
} // namespace

class ThreadEnd {
public:
  ThreadEnd() = default;
  // Of a library that is unloaded, other threads' too.
  ~ThreadEnd() {
    ThreadBlocks *mine = blocks_;
    if (ThreadBlocks::mine_ == mine) {
      hasEnded = true;
      ThreadBlocks::mine_ = nullptr;
    }
    if (!mine)
      return;
    mine->putAll();
    {
      std::lock_guard guard(threadsMutex);
      takenByOthers += mine->taken_;
      (mine->previous_ ? mine->previous_->next_ : threads) = mine->next_;
      if (mine->next_)
        mine->next_->previous_ = mine->previous_;
    }
    delete mine;
  }
  ThreadEnd(const ThreadEnd &) = delete;
  ThreadEnd &operator=(const ThreadEnd &) = delete;

  void begin() {
    auto *mine = new (std::nothrow) ThreadBlocks();
    if (!mine)
      return;
    mine->expectPutAll();
    std::lock_guard guard(threadsMutex);
    mine->next_ = threads;
    if (threads)
      threads->previous_ = mine;
    threads = ThreadBlocks::mine_ = blocks_ = mine;
  }

private:
  ThreadBlocks *blocks_ = nullptr;
};

// Null where the thread is about to end, or has no memory for stocks.
static ThreadBlocks *makeMine() {
  if (hasEnded)
    return nullptr;
  prepareForForks();
  static thread_local ThreadEnd end;
  end.begin();
  return ThreadBlocks::mine();
}

void returnFreeBlocks() { central.giveBackAll(); }

// ---- Stocks -------------------------------------------------------------------------------------

bool ThreadBlocks::refill(int sizeClass) {
  Stock &stock = stocks_[sizeClass];
  FreeBlock *batch = std::exchange(stock.batch, nullptr);
  if (!batch) {
    batch = central.take(sizeClass);
    if (!batch)
      return false;
    tellLive();
    freeBytes_ += static_cast<int64_t>(batch->blocks * blockBytesOf(sizeClass));
    expectPutAll();
  }
  stock.count = batch->blocks;
  stock.first = batch;
  return true;
}

void ThreadBlocks::makeRoom(int sizeClass) {
  Stock &stock = stocks_[sizeClass];
  if (FreeBlock *batch = stock.batch) {
    tellLive();
    freeBytes_ -= static_cast<int64_t>(batch->blocks * blockBytesOf(sizeClass));
    expectPutAll();
    central.put(batch, sizeClass);
  }
  stock.first->blocks = stock.count;
  stock.batch = std::exchange(stock.first, nullptr);
  stock.count = 0;
}

void ThreadBlocks::putAll() {
  tellLive();
  freeBytes_ = 0;
  expectPutAll();
  for (int sizeClass = 0; sizeClass < kSharedClasses; ++sizeClass) {
    Stock stock = std::exchange(stocks_[sizeClass], {});
    if (stock.first) {
      stock.first->blocks = stock.count;
      central.put(stock.first, sizeClass);
    }
    if (stock.batch)
      central.put(stock.batch, sizeClass);
  }
}

void ThreadBlocks::expectPutAll() { least_ = freeBytes_ - mostFreeInThread(); }

void ThreadBlocks::tellTaken() {
  constexpr uint64_t kUsual = 1024; // bytes of a block
  central.passed(kTakenUnseen * kUsual);
}

// The figure is of this moment: `most_` counts from what all threads have told before.
void ThreadBlocks::tellLive() {
  int64_t live = live_.load(std::memory_order_relaxed);
  raisePeak(liveTold.load(std::memory_order_relaxed) + most_.load(std::memory_order_relaxed));
  liveTold.fetch_add(live, std::memory_order_relaxed);
  freeBytes_ -= live;
  least_ -= live;
  live_.store(0, std::memory_order_relaxed);
  most_.store(0, std::memory_order_relaxed);
}

// ---- Blocks -------------------------------------------------------------------------------------

static void tellLive(int64_t bytes) {
  raisePeak(liveTold.fetch_add(bytes, std::memory_order_relaxed) + bytes);
}

// For threads without stocks.
static void *takeOne(int sizeClass) {
  FreeBlock *batch = central.take(sizeClass);
  if (!batch)
    return nullptr;
  if (FreeBlock *others = batch->next) {
    others->blocks = batch->blocks - 1;
    central.put(others, sizeClass);
  }
  takenByOthers.fetch_add(1, std::memory_order_relaxed);
  tellLive(static_cast<int64_t>(blockBytesOf(sizeClass)));
  return batch;
}

static void putOne(void *block, int sizeClass) {
  auto *freed = static_cast<FreeBlock *>(block);
  freed->next = nullptr;
  freed->blocks = 1;
  tellLive(-static_cast<int64_t>(blockBytesOf(sizeClass)));
  central.put(freed, sizeClass);
}

// For a change of what mappings take, in order with what the thread has taken before.
static void tellMapped(int64_t bytes) {
  if (ThreadBlocks *mine = ThreadBlocks::mine())
    mine->tellLive();
  tellLive(bytes);
}

static void *tellTaken(void *mapping) {
  if (!mapping)
    return nullptr;
  takenByOthers.fetch_add(1, std::memory_order_relaxed);
  tellMapped(static_cast<int64_t>(homeOf(mapping)));
  return mapping;
}

void *takeOtherBlock(size_t room, int sizeClass) {
  ThreadBlocks *mine = ThreadBlocks::mine();
  if (!mine)
    mine = makeMine();
  if (sizeClass < kSharedClasses)
    return mine ? mine->take(sizeClass) : takeOne(sizeClass);
  return tellTaken(central.takeMapping(room));
}

void *takeRoomyMapping(size_t room) { return tellTaken(central.takeRoomyMapping(room)); }

void returnOtherBlock(void *block, int sizeClass) {
  if (sizeClass >= kSharedClasses) {
    tellMapped(-static_cast<int64_t>(homeOf(block)));
    central.putMapping(block);
    return;
  }
  ThreadBlocks *mine = makeMine();
  if (mine)
    mine->put(block, sizeClass);
  else
    putOne(block, sizeClass);
}

void addLiveBytes(int64_t bytes) { tellMapped(bytes); }

void *resizeMapping(void *block, size_t room) {
  auto before = static_cast<int64_t>(homeOf(block));
  void *moved = central.resizeMapping(block, room);
  if (moved)
    tellMapped(static_cast<int64_t>(homeOf(moved)) - before);
  return moved;
}

// ---- Figures ------------------------------------------------------------------------------------

BlockFigures BlockFigures::ofAllThreads() {
  std::lock_guard guard(threadsMutex);
  BlockFigures all;
  int64_t live = liveTold.load(std::memory_order_relaxed), peak = peakTold.load();
  all.taken = takenByOthers;
  int64_t told = live;
  for (ThreadBlocks *thread = threads; thread; thread = thread->next_) {
    all.taken += thread->taken_.load(std::memory_order_relaxed);
    live += thread->live_.load(std::memory_order_relaxed);
    peak = std::max(peak, told + thread->most_.load(std::memory_order_relaxed));
  }
  all.liveBytes = static_cast<uint64_t>(std::max<int64_t>(live, 0));
  all.peakBytes = static_cast<uint64_t>(std::max(peak, live));
  return all;
}

} // namespace sluice::rt
