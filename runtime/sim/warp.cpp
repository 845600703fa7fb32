// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles, votes and reductions, as the PTX manual defines them.
#include "runtime/sim/warp.h"

#include <algorithm>

namespace sluice::rt::sim {

uint32_t shuffleSource(const WarpRequest &request, uint32_t lane, bool &inRange) {
  uint32_t segment = request.clamp >> 8 & 31, clamp = request.clamp & 31, other = request.lane & 31;
  uint32_t last = (lane & segment) | (clamp & ~segment & 31);
  uint32_t first = lane & segment;
  int source = lane;
  switch (request.operation) {
  case WarpOperation::kShuffleUp:
    source = int(lane) - int(other);
    inRange = source >= int(last);
    break;
  case WarpOperation::kShuffleDown:
    source = lane + other;
    inRange = source <= int(last);
    break;
  case WarpOperation::kShuffleXor:
    source = lane ^ other;
    inRange = source <= int(last);
    break;
  default:
    source = first | (other & ~segment & 31);
    inRange = source <= int(last);
    break;
  }
  return inRange ? source : lane;
}

static bool isReduction(WarpOperation operation) { return operation >= WarpOperation::kReduceAdd; }

static uint32_t reduce(WarpOperation operation, uint32_t a, uint32_t b) {
  switch (operation) {
  case WarpOperation::kReduceAdd:
    return a + b;
  case WarpOperation::kReduceMin:
    return std::min<int32_t>(a, b);
  case WarpOperation::kReduceMax:
    return std::max<int32_t>(a, b);
  case WarpOperation::kReduceUnsignedMin:
    return std::min(a, b);
  case WarpOperation::kReduceUnsignedMax:
    return std::max(a, b);
  case WarpOperation::kReduceAnd:
    return a & b;
  case WarpOperation::kReduceOr:
    return a | b;
  default:
    return a ^ b;
  }
}

WarpAnswer answerOf(const WarpRequest *const requests[kWarpThreads], uint32_t lane) {
  const WarpRequest &own = *requests[lane];
  uint32_t ballot = 0, same = 0, reduced = 0;
  bool first = true;
  for (uint32_t i = 0; i < kWarpThreads; ++i) {
    if (!(own.mask >> i & 1))
      continue;
    uint32_t value = requests[i]->value;
    ballot |= uint32_t(value != 0) << i;
    same |= uint32_t(value == own.value) << i;
    if (isReduction(own.operation))
      reduced = first ? value : reduce(own.operation, reduced, value);
    first = false;
  }
  switch (own.operation) {
  case WarpOperation::kSync:
    return {};
  case WarpOperation::kBallot:
    return {ballot, true};
  case WarpOperation::kAll:
    return {ballot == own.mask, true};
  case WarpOperation::kAny:
    return {ballot != 0, true};
  case WarpOperation::kUniform:
    return {ballot == own.mask || ballot == 0, true};
  case WarpOperation::kMatchAny:
    return {same, true};
  default:
    break;
  }
  if (isReduction(own.operation))
    return {reduced, true};
  WarpAnswer answer;
  answer.value = requests[shuffleSource(own, lane, answer.inRange)]->value;
  return answer;
}

} // namespace sluice::rt::sim
