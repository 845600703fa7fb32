// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MemoryAccount. A place in the table is free again when nothing that has its number is left.
#include "runtime/memory/memory_account.h"

#include <mutex>

namespace sluice::rt {

namespace {
struct Place {
  MemoryBudget *budget = nullptr;
  void (*release)(MemoryBudget &) = nullptr;
  std::atomic<uint64_t> uses{0}; // bytes, and one while it is open
};

constinit std::mutex mutex; // of who has which place
constinit Place places[256];
} // namespace

uint8_t MemoryAccount::open(MemoryBudget &budget, void (*release)(MemoryBudget &)) {
  std::lock_guard lock(mutex);
  for (unsigned i = 1; i < std::size(places); ++i)
    if (!places[i].budget) {
      places[i].budget = &budget;
      places[i].release = release;
      places[i].uses = 1;
      return static_cast<uint8_t>(i);
    }
  return 0;
}

bool MemoryAccount::hold(uint8_t account, uint64_t bytes) {
  MemoryBudget &budget = *places[account].budget;
  uint64_t before = budget.held.load(std::memory_order_relaxed), after;
  do {
    if (__builtin_add_overflow(before, bytes, &after) || (budget.limit && after > budget.limit))
      return false;
  } while (!budget.held.compare_exchange_weak(before, after, std::memory_order_relaxed));
  for (uint64_t seen = budget.peak.load(std::memory_order_relaxed);
       seen < after &&
       !budget.peak.compare_exchange_weak(seen, after, std::memory_order_relaxed);) {
  }
  places[account].uses.fetch_add(bytes, std::memory_order_relaxed);
  return true;
}

void MemoryAccount::unhold(uint8_t account, uint64_t bytes) {
  places[account].budget->held.fetch_sub(bytes, std::memory_order_relaxed);
  drop(account, bytes);
}

void MemoryAccount::drop(uint8_t account, uint64_t uses) {
  Place &place = places[account];
  if (place.uses.fetch_sub(uses, std::memory_order_acq_rel) != uses)
    return;
  MemoryBudget &budget = *place.budget;
  auto *release = place.release;
  {
    std::lock_guard lock(mutex);
    place.budget = nullptr;
  }
  release(budget);
}

} // namespace sluice::rt
