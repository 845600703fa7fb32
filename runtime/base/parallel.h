// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work in pieces that idle threads take part in. What the pieces are follows from sizes alone, so
// that no result depends on who ran which.
#pragma once

#include "runtime/base/threads.h"

#include <cstdint>

namespace sluice::rt {

struct ProcessorCount; // runtime/base/processor_count.h
class Helpers;

// Those who help each other with pieces. A process has one such group, which is everybody's who is
// in no other; in a library each model has its own, and those with one count share processors.
class HelperGroup {
public:
  explicit HelperGroup(ProcessorCount &count);
  // After the last ParallelThreads that were made in it.
  ~HelperGroup();
  HelperGroup(const HelperGroup &) = delete;

  // The calling thread belongs to the group.
  class Scope {
  public:
    explicit Scope(HelperGroup &group);
    ~Scope();
    Scope(const Scope &) = delete;

  private:
    Helpers *outer_;
  };

private:
  Helpers *helpers_;
};

// While one lives, the group of the thread that made it may have so many threads compute at once,
// those that call parallelFor included; the most that any allows. Below 2, nobody helps. Helpers
// are started when there is work for them, and end with the last one of these, which no call may
// outlive.
struct ParallelThreads {
  ParallelThreads(Threads &threads, int most);
  ~ParallelThreads();
  ParallelThreads(const ParallelThreads &) = delete;

  // A link of the list of all.
  Threads &threads;
  const int most;
  ParallelThreads *next = nullptr;

private:
  Helpers &group_;
};

// A thread that computes, for as long as this lives: it leaves room for one helper less. Those that
// call parallelFor need none.
class ComputingThread {
public:
  enum class Turn : uint8_t { kNow, kWhenThereIsRoom };
  // Workers wait for room where groups share processors.
  explicit ComputingThread(Turn turn = Turn::kNow);
  ~ComputingThread();
  ComputingThread(const ComputingThread &) = delete;

private:
  bool isCounted_;
};

// Whether a call of parallelFor would find help, now or later.
bool hasParallelThreads();

// A cost is about so many quarters of a nanosecond. For so much, helpers are woken in any case: to
// wake one takes 10 to 30 us of whoever does it, and as much again until it is there.
inline constexpr int64_t kCostWorthWaking = int64_t{1} << 20;

// Whether work that costs so much is worth pieces. It is if a helper is awake, which it stays for a
// while when it has worked; for less than the above, others are woken once there was enough of it.
bool findsHelp(int64_t cost);

using PieceFn = void (*)(const void *context, int64_t piece);
void runPieces(int64_t pieces, int64_t costOfPiece, PieceFn run, const void *context);

// function(0) to function(pieces - 1), each once, in any order, on this thread and on others.
// Returns when all have returned. Within a piece, all on the same thread in order.
template <typename Function>
void parallelFor(int64_t pieces, const Function &function, int64_t costOfPiece = kCostWorthWaking) {
  runPieces(
      pieces, costOfPiece,
      [](const void *context, int64_t piece) { (*static_cast<const Function *>(context))(piece); },
      &function);
}

} // namespace sluice::rt
