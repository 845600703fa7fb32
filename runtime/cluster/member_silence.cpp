// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Member: questions of rank 0, and ranks that live but do not answer.
#include "runtime/cluster/member.h"

#include <algorithm>

namespace sluice::rt {

// The answer that a peer can give at once unless it computes, and since when it has been owing it.
// A report comes when the call is over, which may take long, and while it does the peer says
// whether it is idle.
std::optional<Member::MissingAnswer> Member::answerMissing(uint32_t peer) const {
  const Debts &debts = debts_[peer];
  if (debts.ready)
    return MissingAnswer{"that it is ready", debts.asked};
  if (debts.variables)
    return MissingAnswer{"what its variables hold", debts.asked};
  if (debts.shards)
    return MissingAnswer{"that its part of a checkpoint is done", debts.asked};
  for (const auto &call : calls_)
    if (call->aborting && call->owesReport[peer])
      return MissingAnswer{"that it has ended the call, which has failed", call->abortedAt};
  for (const auto &call : calls_)
    if (debts.idleReport && call->owesReport[peer])
      return MissingAnswer{"whether it can go on", roundBegan_};
  return std::nullopt;
}

// Silence is no proof of anything in a rank that computes: kernels take what time they take, up to
// the limit. Its process says so in its place.
bool Member::judge(uint32_t peer, uint64_t now, const MissingAnswer &missing) {
  uint64_t waited = now - missing.since;
  uint64_t silent = std::min(waited, transport_->silence(peer));
  uint64_t longest = executor_.options().limits[Limit::kKernelSeconds] * 1'000'000'000;
  bool computes = silent <= mostSilentNs_;
  if (computes && waited <= longest)
    return false;
  std::string text = deviceOf(peer) + (computes ? " computes" : " lives") + ", but has not said " +
                     missing.what + format(" for %.1f s", static_cast<double>(waited) / 1e9);
  endCluster(ClusterEnd::Kind::kTimedOut,
             Status(Code::kDeadlineExceeded,
                    text + (computes ? seeLimit(Limit::kKernelSeconds) : "; see --peer-timeout")));
  return true;
}

void Member::judgeSilence() {
  if (rank() != 0 || mostSilentNs_ == 0)
    return;
  uint64_t now = clock_.now(); // after whatever has just been asked
  if (now - judged_ < StallProbe::kIntervalNs)
    return;
  judged_ = now;
  for (uint32_t peer = 1; peer < transport_->size(); ++peer)
    if (std::optional<MissingAnswer> missing = answerMissing(peer))
      if (judge(peer, now, *missing))
        return;
}

} // namespace sluice::rt
