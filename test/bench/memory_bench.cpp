// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What buffers cost: time to take and return them, on one thread and on several, also where another
// thread returns them, and memory beyond what was asked for. Prints a JSON line for each case;
// test/bench/memory repeats rounds and makes the table.
#include "runtime/memory/buffer.h"
#include "runtime/state/list.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <thread>
#include <vector>

using namespace sluice::rt;

namespace {

// Processor time of this thread: neighbours and threads that wait do not count.
double now() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

// As a program has them: some live at a time, and the oldest goes.
constexpr size_t kLive = 16;

struct Pool {
  static Buffer *take(size_t bytes) {
    Buffer *buffer = Buffer::allocate(bytes);
    if (!buffer)
      std::abort();
    return buffer;
  }
  static void giveBack(Buffer *buffer) { buffer->release(); }
};
struct Library {
  static void *take(size_t bytes) {
    void *block = std::aligned_alloc(64, (bytes + 127) & ~size_t{63});
    if (!block)
      std::abort();
    static_cast<char *>(block)[0] = 1; // as a header is written
    return block;
  }
  static void giveBack(void *block) { std::free(block); }
};

template <typename Memory> double nanosecondsOnOneThread(size_t bytes, int64_t count) {
  decltype(Memory::take(0)) live[kLive] = {};
  double start = now();
  for (int64_t i = 0; i < count; ++i) {
    auto *&place = live[static_cast<size_t>(i) % kLive];
    if (place)
      Memory::giveBack(place);
    place = Memory::take(bytes);
  }
  for (auto *place : live)
    if (place)
      Memory::giveBack(place);
  return (now() - start) / static_cast<double>(count);
}

template <typename Memory>
double nanosecondsOnThreads(size_t threads, size_t bytes, int64_t count) {
  std::vector<double> times(threads);
  std::vector<std::thread> running;
  std::atomic<size_t> ready{0};
  for (size_t i = 0; i < threads; ++i)
    running.emplace_back([&, i] {
      nanosecondsOnOneThread<Memory>(bytes, 1000);
      for (++ready; ready < threads;) // all at once
        std::this_thread::yield();
      times[i] = nanosecondsOnOneThread<Memory>(bytes, count);
    });
  double sum = 0;
  for (size_t i = 0; i < threads; ++i) {
    running[i].join();
    sum += times[i];
  }
  return sum / static_cast<double>(threads);
}

// Blocks on their way to the thread that returns them, so many at a time that looking at the clock
// for them does not count.
constexpr size_t kTogether = 256;
using Blocks = std::array<void *, kTogether>;

// A ring with one writer and one reader.
class Handover {
public:
  Blocks *toWrite() {
    bool isFull =
        written_.load(std::memory_order_relaxed) - read_.load(std::memory_order_acquire) == kPlaces;
    return isFull ? nullptr : &blocks_[written_.load(std::memory_order_relaxed) % kPlaces];
  }
  void wrote() { written_.fetch_add(1, std::memory_order_release); }
  Blocks *toRead() {
    bool isEmpty =
        read_.load(std::memory_order_relaxed) == written_.load(std::memory_order_acquire);
    return isEmpty ? nullptr : &blocks_[read_.load(std::memory_order_relaxed) % kPlaces];
  }
  void read() { read_.fetch_add(1, std::memory_order_release); }

private:
  static constexpr size_t kPlaces = 4;
  Blocks blocks_[kPlaces];
  alignas(64) std::atomic<size_t> written_{0};
  alignas(64) std::atomic<size_t> read_{0};
};

// Waits without counting.
template <typename Look> Blocks *await(Look look) {
  for (;;) {
    if (Blocks *blocks = look())
      return blocks;
    std::this_thread::yield();
  }
}

template <typename Memory> double makeAll(Handover &ring, size_t bytes, int64_t rounds) {
  double time = 0;
  for (int64_t i = 0; i < rounds; ++i) {
    Blocks &blocks = *await([&] { return ring.toWrite(); });
    double start = now();
    for (void *&block : blocks)
      block = Memory::take(bytes);
    time += now() - start;
    ring.wrote();
  }
  return time;
}

template <typename Memory> double returnAll(std::vector<Handover> &rings, int64_t rounds) {
  double time = 0;
  for (int64_t i = 0; i < rounds; ++i)
    for (Handover &ring : rings) {
      Blocks &blocks = *await([&] { return ring.toRead(); });
      double start = now();
      for (void *block : blocks)
        Memory::giveBack(static_cast<decltype(Memory::take(0))>(block));
      time += now() - start;
      ring.read();
    }
  return time;
}

// Workers make them, and one thread returns all: nanoseconds of both for one.
template <typename Memory>
double nanosecondsOfHandover(size_t workers, size_t bytes, int64_t count) {
  const int64_t rounds = count / static_cast<int64_t>(kTogether) + 1;
  std::vector<Handover> rings(workers);
  std::vector<std::thread> running;
  std::vector<double> times(workers);
  for (size_t i = 0; i < workers; ++i)
    running.emplace_back([&, i] { times[i] = makeAll<Memory>(rings[i], bytes, rounds); });
  double sum = returnAll<Memory>(rings, rounds);
  for (size_t i = 0; i < workers; ++i) {
    running[i].join();
    sum += times[i];
  }
  return sum / static_cast<double>(workers * kTogether) / static_cast<double>(rounds);
}

void reportTime(const char *name, size_t bytes, double pool, double library) {
  std::printf("{\"case\": \"%s\", \"bytes\": %zu, \"ns\": %.2f, \"floor_ns\": %.2f}\n", name, bytes,
              pool, library);
}

// Bytes that buffers take in the process for each that was asked for.
void reportRoom(size_t bytes) {
  const size_t count = std::max<size_t>((64 << 20) / bytes, 4);
  std::vector<Buffer *> buffers(count);
  setMemoryLimit(1); // what is free goes back to the system
  setMemoryLimit(0);
  uint64_t live = memoryStats().liveBytes, held = memoryStats().heldBytes;
  for (Buffer *&buffer : buffers)
    buffer = Pool::take(bytes);
  MemoryStats stats = memoryStats();
  auto each = [&](uint64_t sum) { return static_cast<double>(sum) / static_cast<double>(count); };
  std::printf("{\"case\": \"room\", \"bytes\": %zu, \"live\": %.1f, \"held\": %.1f}\n", bytes,
              each(stats.liveBytes - live), each(stats.heldBytes - held));
  for (Buffer *buffer : buffers)
    buffer->release();
}

// Rows that are pushed one by one, as by a loop that does not know how often it will run.
void reportRows(size_t megabytes) {
  constexpr int64_t kRowBytes = 4096;
  Ref<List> owner = List::make(0, Shape{kRowBytes}, true);
  SluiceList rows{};
  double start = now();
  if (!owner->lendRows(DType::kU8, Shape{kRowBytes}, {}, rows).ok())
    std::abort();
  int64_t count = (static_cast<int64_t>(megabytes) << 20) / kRowBytes;
  double growing = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (i >= rows.capacity) {
      double before = now();
      if (List::reserve(rows, i + 1) != 0)
        std::abort();
      growing += now() - before;
    }
    std::memset(static_cast<char *>(rows.rows) + i * kRowBytes, 1, kRowBytes);
  }
  double all = now() - start;
  std::printf("{\"case\": \"rows\", \"bytes\": %zu, \"ns\": %.0f, \"growing_ns\": %.0f}\n",
              megabytes << 20, all, growing);
}

} // namespace

int main(int argc, char **argv) {
  int64_t count = argc > 1 ? std::atoll(argv[1]) : 2000000;
  if (count < 1) {
    std::fprintf(stderr, "usage: memory-bench [COUNT]\n");
    return 2;
  }
  constexpr size_t kThreads = 4, kWorkers = 2;
  for (size_t bytes : {64, 4096}) {
    reportTime("one thread", bytes, nanosecondsOnOneThread<Pool>(bytes, count),
               nanosecondsOnOneThread<Library>(bytes, count));
    reportTime("four threads", bytes, nanosecondsOnThreads<Pool>(kThreads, bytes, count),
               nanosecondsOnThreads<Library>(kThreads, bytes, count));
    uint64_t held = memoryStats().heldBytes;
    reportTime("another thread returns", bytes,
               nanosecondsOfHandover<Pool>(kWorkers, bytes, count / 4),
               nanosecondsOfHandover<Library>(kWorkers, bytes, count / 4));
    std::printf("{\"case\": \"held\", \"bytes\": %zu, \"held\": %.0f}\n", bytes,
                static_cast<double>(memoryStats().heldBytes) - static_cast<double>(held));
  }
  for (size_t bytes : {24, 64, 256, 1000, 4096, 5000, 65536, 1000000, 1048576})
    reportRoom(bytes);
  reportRows(count < 100000 ? 16 : 1024);
  return 0;
}
