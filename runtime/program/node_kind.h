// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a node does when it fires, and what lives on between calls. The numbers are part of the
// executable format.
#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace sluice::rt {

// From kTable on they are objects behind slots (runtime/state/object_slot.h).
enum class ResourceKind : uint8_t {
  kGenerator = 0,
  kVariable = 1,
  kTable = 2,
  kQueue = 3,
  kBarrier = 4,
  kAccumulator = 5,
  kStage = 6,
  kMutex = 7,
  kReader = 8,
  kLast = kReader,
};

constexpr std::string_view kindName(ResourceKind kind) {
  constexpr std::string_view kNames[] = {"generator",   "variable", "table", "queue", "barrier",
                                         "accumulator", "stage",    "mutex", "reader"};
  static_assert(std::size(kNames) == static_cast<size_t>(ResourceKind::kLast) + 1);
  return kNames[static_cast<size_t>(kind)];
}

constexpr std::optional<ResourceKind> resourceKindOf(std::string_view name) {
  for (size_t i = 0; i <= static_cast<size_t>(ResourceKind::kLast); ++i)
    if (kindName(static_cast<ResourceKind>(i)) == name)
      return static_cast<ResourceKind>(i);
  return std::nullopt;
}

enum class NodeKind : uint8_t {
  kKernel = 0,
  kForward = 1, // input 0 to port 0
  kSwitch = 2,  // ports: on false, on true, control
  kMerge = 3,   // ports: value, index, control
  kEnter = 4,
  kExit = 5,
  kNextIteration = 6,
  kJoin = 7, // control only
  kFeed = 8,
  kFetch = 9,
  kTarget = 10,
  kSend = 11,     // of a value, or of a control token
  kRecv = 12,     // waits for its gates, whether dead or not, and for a message
  kCodelet = 13,  // a group of ops, compiled to one function
  kCall = 14,     // of a function: inputs are its arguments, its results come at the ports
  kArgument = 15, // in a function's frame: gives at port 0 what the call is given; never fires
  kReturn = 16,   // in a function's frame: inputs are the results
  kCopy = 17,     // input 0 in another memory, to port 0
  kLast = kCopy,
};

// In whose memory a value lies: 0 is the host's, k + 1 that of the rank's card k.
using MemoryNumber = uint32_t;
constexpr MemoryNumber kHostMemory = 0;

} // namespace sluice::rt
