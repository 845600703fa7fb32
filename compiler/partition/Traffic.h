// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ranks of a partitioned module send to each other, added up.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::partition {

// What crosses in one direction in a call, or in one iteration of a loop.
struct Traffic {
  std::string loop; // "outer > inner"; empty: in a call
  unsigned from = 0, to = 0;
  unsigned messages = 0;
  unsigned predicates = 0; // messages that say whether a loop goes on
  int64_t bytes = 0;       // of the elements, as far as types say
  bool isKnown = false;    // some of the messages have a known size
  bool isUnknown = false;  // some have not
};

struct LoopRanks {
  std::string loop;
  std::vector<unsigned> ranks;
  std::optional<unsigned> decidedOn; // for loops on several ranks
};

struct SignatureTraffic {
  std::string signature;
  std::vector<Traffic> traffic; // by loop, outer ones first, then sender, then receiver
  std::vector<LoopRanks> loops;
  unsigned edges = 0; // pairs of send and recv
  unsigned edgesInLoops = 0;
  unsigned edgesInNestedLoops = 0; // also counted as in loops
};

// Of a module that passes partition-check-balance; empty for other modules.
std::vector<SignatureTraffic> trafficOf(mlir::ModuleOp module);

} // namespace sluice::partition
