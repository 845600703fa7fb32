// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What models of a process share, also those of different libraries, each of which has a runtime of
// its own: so it is data alone, laid out once and for all, and whoever drops the last reference
// frees it. Fields are only added at the end.
#pragma once

#include "runtime/base/limits.h"
#include "runtime/base/processor_count.h"
#include "runtime/base/status.h"
#include "runtime/embed/sluice.h"
#include "runtime/memory/memory_account.h"

#include <atomic>
#include <cstdint>

struct sluice_context {
  // Names and not numbers: libraries differ in the limits that they know.
  struct ChosenLimit {
    char name[40];
    uint64_t value;
  };
  static constexpr uint32_t kMostLimits = 64;

  std::atomic<uint32_t> references;
  int32_t threads;
  sluice::rt::ProcessorCount processors;
  uint32_t numLimits;
  sluice::rt::MemoryBudget memory;
  ChosenLimit limits[kMostLimits];
};

namespace sluice::rt {

// Threads -1: as many as this process may use. INVALID_ARGUMENT for other numbers than those of
// docs/reference/c-api.md.
Result<sluice_context *> createContext(int32_t threads, uint64_t memoryLimit);
void retainContext(sluice_context &context);
void releaseContext(sluice_context &context);
// NOT_FOUND if this runtime knows no such limit.
Status setLimit(sluice_context &context, std::string_view name, uint64_t value);
// Those that were set, as far as this runtime knows them.
Limits limitsOf(const sluice_context &context);

} // namespace sluice::rt
