// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The traces of ranks that live in one process, as one file.
#pragma once

#include "runtime/cluster/cluster_runner.h"
#include "runtime/trace/trace_file.h"

namespace sluice::rt {

template <typename Rank> std::string traceOfRanks(const std::vector<std::unique_ptr<Rank>> &ranks) {
  std::vector<TracedRank> traced;
  for (const auto &rank : ranks)
    if (const TraceBuffer *buffer = rank->executor().traceBuffer())
      traced.push_back({rank->executor().program(), *buffer});
  return traced.empty() ? std::string() : traceFile(traced);
}

template <typename Rank>
uint64_t lostEventsOfRanks(const std::vector<std::unique_ptr<Rank>> &ranks) {
  uint64_t lost = 0;
  for (const auto &rank : ranks)
    lost += rank->lostEvents();
  return lost;
}

} // namespace sluice::rt
