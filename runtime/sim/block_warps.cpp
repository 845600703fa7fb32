// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exchanges between the lanes of a warp: all that take part must come, to the same place in the
// code.
#include "runtime/sim/block.h"
#include "runtime/sim/report.h"

namespace sluice::rt::sim {

WarpAnswer Block::exchange(const WarpRequest &request) {
  if (!(request.mask >> lane() & 1))
    fail(cuda::kLaunchFailed,
         text("is at an exchange of the lanes 0x%08x and is none of them", request.mask));
  BlockThread &thread = threads_[running_];
  thread.stop = Stop::kWarp;
  thread.request = request;
  fibers_.leave();
  return thread.answer;
}

void Block::synchronizeWarp(uint32_t mask, const void *site) {
  if (!leavesOut("a barrier of warps", site))
    exchange({WarpOperation::kSync, mask, 0, 0, 0, site, nullptr});
}

static bool isShuffle(WarpOperation operation) {
  return operation >= WarpOperation::kShuffleIndex && operation <= WarpOperation::kShuffleXor;
}

static bool isSame(const WarpRequest &a, const WarpRequest &b) {
  return a.operation == b.operation && a.mask == b.mask && a.site == b.site;
}

// Lanes that the mask names and that do not exist, have ended or wait elsewhere are waited for; if
// nobody can go on any more, that is a finding.
bool Block::completeExchange(uint32_t number) {
  const WarpRequest own = threads_[number].request;
  uint32_t first = number - number % kWarpThreads;
  const WarpRequest *requests[kWarpThreads] = {};
  uint32_t lanes = 0;
  for (uint32_t lane = 0; lane < kWarpThreads && first + lane < threads_.size(); ++lane) {
    const BlockThread &thread = threads_[first + lane];
    if (!(own.mask >> lane & 1) || thread.stop != Stop::kWarp || !isSame(thread.request, own))
      continue;
    requests[lane] = &thread.request;
    lanes |= 1u << lane;
  }
  if (lanes != own.mask)
    return false;
  if (isMultiplication(own.operation))
    multiplyFragments(requests);
  uint32_t all = 0;
  for (uint32_t lane = 0; lane < kWarpThreads && first + lane < threads_.size(); ++lane) {
    all |= 1u << lane;
    if (!requests[lane] || isMultiplication(own.operation))
      continue;
    bool inRange;
    uint32_t source = shuffleSource(*requests[lane], lane, inRange);
    running_ = first + lane;
    if (isShuffle(own.operation) && !requests[source])
      record(cuda::kLaunchFailed,
             text("absent lane: shuffles with lane %u, which is none of 0x%08x", source, own.mask));
    else
      threads_[first + lane].answer = answerOf(requests, lane);
  }
  for (uint32_t lane = 0; lane < kWarpThreads; ++lane)
    if (requests[lane])
      threads_[first + lane].stop = Stop::kReady;
  if (own.operation == WarpOperation::kSync && own.mask == all)
    ++warpEpochs_[first / kWarpThreads];
  return true;
}

bool Block::completeWarps() {
  bool any = false;
  for (uint32_t number = 0; number < threads_.size(); ++number)
    if (threads_[number].stop == Stop::kWarp)
      any |= completeExchange(number);
  return any;
}

} // namespace sluice::rt::sim
