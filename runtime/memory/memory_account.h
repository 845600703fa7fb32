// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who pays for buffers, where a process has several programs with limits of their own: budgets, and
// which of them the calling thread works for. Executables have none; they limit all that the
// process holds (base/held_memory.h).
#pragma once

#include <atomic>
#include <cstdint>

namespace sluice::rt {

// Plain data, so that several runtimes in one process can share one.
struct MemoryBudget {
  std::atomic<uint64_t> held{0}, peak{0}; // bytes of blocks in use
  uint64_t limit = 0;                     // 0: none
};

// This runtime's part in a budget, by a number that buffers remember; 0 is nobody's.
class MemoryAccount {
public:
  // `release` is called once, on any thread, when the account is closed and its last buffer gone. 0
  // when there are too many.
  static uint8_t open(MemoryBudget &budget, void (*release)(MemoryBudget &));
  static void close(uint8_t account) { drop(account, 1); }

  // False if that would be more than the limit.
  [[nodiscard]] static bool hold(uint8_t account, uint64_t bytes);
  static void unhold(uint8_t account, uint64_t bytes);

  // The one that the calling thread's buffers belong to.
  static uint8_t here() { return here_; }

  class Scope {
  public:
    explicit Scope(uint8_t account) : outer_(here_) { here_ = account; }
    ~Scope() { here_ = outer_; }
    Scope(const Scope &) = delete;

  private:
    uint8_t outer_;
  };

private:
  static void drop(uint8_t account, uint64_t uses);

  static inline constinit thread_local uint8_t here_ = 0;
};

} // namespace sluice::rt
