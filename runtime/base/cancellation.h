// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the work of a call is ended that is under way. Compiled loops ask at each back edge, and
// kernels that may take long between parts of their work; what they have done so far is dropped.
#pragma once

#include "runtime/base/status.h"

#include <atomic>
#include <cstdint>

namespace sluice::rt {

class Cancellation {
public:
  // From any thread, and from signal handlers.
  void request() { word_.store(1, std::memory_order_relaxed); }
  bool requested() const { return word_.load(std::memory_order_relaxed) != 0; }
  // While nothing is under way.
  void reset() { word_.store(0, std::memory_order_relaxed); }
  // What compiled code reads: not 0 once it was requested.
  const uint32_t *word() const { return reinterpret_cast<const uint32_t *>(&word_); }

  // Whether the call is to end that this thread works for.
  static bool requestedHere() { return here_ && here_->requested(); }
  // That call; null where there is none.
  static const Cancellation *here() { return here_; }

private:
  friend class CancellationScope;
  static inline thread_local const Cancellation *here_ = nullptr;

  std::atomic<uint32_t> word_ = 0;
  static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t));
};

// Of work that has ended before its time. Whoever runs kernels says so for them.
inline Status cancelledWork() { return {Code::kCancelled, "its work was ended"}; }

// This thread works for a call.
class CancellationScope {
public:
  explicit CancellationScope(const Cancellation &cancellation) : CancellationScope(&cancellation) {}
  explicit CancellationScope(const Cancellation *cancellation) : outer_(Cancellation::here_) {
    Cancellation::here_ = cancellation;
  }
  ~CancellationScope() { Cancellation::here_ = outer_; }
  CancellationScope(const CancellationScope &) = delete;
  CancellationScope &operator=(const CancellationScope &) = delete;

private:
  const Cancellation *outer_;
};

} // namespace sluice::rt
