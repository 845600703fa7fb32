// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs on several devices: how many, which random placement, and how messages travel.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::conformance {

enum class Transport {
  kLocal,     // all devices in one process
  kSimulated, // the same, with delays drawn from the schedule's seed
  kTcp,       // a process for each device
};

struct Placement {
  unsigned devices = 1;
  std::optional<uint64_t> seed; // absent: where the compiler puts things
  Transport transport = Transport::kLocal;

  // "@3/7": 3 devices, seed 7.
  std::string suffix() const;
};

// "3", "1-5", "1,2,7-9", each once and in this order.
llvm::Expected<std::vector<uint64_t>> parseSeeds(llvm::StringRef text);

// Edges between devices, as the compiler counted them.
struct EdgeCounts {
  uint64_t all = 0;
  uint64_t inLoops = 0;
  uint64_t inNestedLoops = 0; // a part of inLoops

  EdgeCounts &operator+=(const EdgeCounts &other);
};

// The file that the compiler writes with --partition-summary.
llvm::Expected<EdgeCounts> readPartitionSummary(const std::string &path);

} // namespace sluice::conformance
