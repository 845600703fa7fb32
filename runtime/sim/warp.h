// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the 32 threads of a warp do together: each brings a value and gets an answer.
#pragma once

#include <cstdint>

namespace sluice::rt::sim {

constexpr uint32_t kWarpThreads = 32;

enum class WarpOperation : uint8_t {
  kSync,
  kShuffleIndex,
  kShuffleUp,
  kShuffleDown,
  kShuffleXor,
  kBallot,
  kAll,
  kAny,
  kUniform,
  kMatchAny,
  kReduceAdd,
  kReduceMin,
  kReduceMax,
  kReduceUnsignedMin,
  kReduceUnsignedMax,
  kReduceAnd,
  kReduceOr,
  kReduceXor,
};

struct WarpRequest {
  WarpOperation operation = WarpOperation::kSync;
  uint32_t mask = 0;          // lanes that take part
  uint32_t value = 0;         // what this one brings
  uint32_t lane = 0;          // shuffles: the other operand
  uint32_t clamp = 0;         // shuffles: as PTX has it, the segment's mask and its last lane
  const void *site = nullptr; // in the code
};

struct WarpAnswer {
  uint32_t value = 0;
  bool inRange = false; // shuffles: the lane that was asked for is one of the segment
};

// The lane whose value a shuffle answers with; `inRange` as above, else the lane itself.
uint32_t shuffleSource(const WarpRequest &request, uint32_t lane, bool &inRange);

// The answer of one lane, `requests` being those of all 32, valid where the mask says so.
WarpAnswer answerOf(const WarpRequest *const requests[kWarpThreads], uint32_t lane);

} // namespace sluice::rt::sim
