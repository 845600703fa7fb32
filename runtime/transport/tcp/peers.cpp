// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The watch thread.
#include "runtime/transport/tcp/peers.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/eventfd.h>

namespace sluice::rt {

namespace {
constexpr uint64_t kMillisecondNs = 1'000'000;
constexpr uint64_t kShortestBeatNs = kMillisecondNs;
} // namespace

Peers::Peers(const std::vector<std::string> &names, uint64_t mostSilentNs, uint64_t beatNs)
    : mostSilentNs_(mostSilentNs), nudge_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  pulse_.mostSilentSeconds = static_cast<double>(mostSilentNs) / 1e9;
  setBeat(beatNs);
  for (uint32_t rank = 0; rank < names.size(); ++rank)
    connections_.push_back(std::make_unique<Connection>(rank, names[rank], pulse_));
}

Peers::~Peers() { stopWatch(); }

void Peers::setBeat(uint64_t beatNs) {
  beatNs_ = std::max(beatNs, kShortestBeatNs);
  // A peer speaks every two beats at the latest: fewer than four would be a hair trigger.
  pulse_.mostSilent =
      static_cast<uint32_t>(std::max<uint64_t>((mostSilentNs_ + beatNs_ - 1) / beatNs_, 4));
}

void Peers::beatAtLeastEvery(uint32_t milliseconds) {
  uint64_t beatNs = std::max(milliseconds * kMillisecondNs, kShortestBeatNs);
  if (beatNs >= beatNs_)
    return;
  setBeat(beatNs);
  nudgeWatch(); // it sleeps for a longer beat
}

Status Peers::startWatch(Threads &threads, std::function<void()> look) {
  if (!nudge_.isOpen())
    return systemFailure("cannot watch connections", errno);
  thread_ = threads.start("sluice-watch", [this, look = std::move(look)] { watch(look); });
  if (!thread_)
    return resourceExhausted("the system refuses the thread that watches connections");
  return okStatus();
}

void Peers::nudgeWatch() {
  uint64_t one = 1;
  (void)!::write(nudge_.fd(), &one, sizeof one);
}

void Peers::stopWatch() {
  if (!thread_)
    return;
  stop_ = true;
  nudgeWatch();
  thread_.reset();
}

void Peers::watch(const std::function<void()> &look) {
  while (true) {
    pollfd entry{nudge_.fd(), POLLIN, 0};
    int milliseconds = static_cast<int>((beatNs_ + kMillisecondNs - 1) / kMillisecondNs);
    int ready = ::poll(&entry, 1, milliseconds);
    if (stop_)
      return;
    uint64_t nudges;
    if (ready > 0)
      (void)!::read(nudge_.fd(), &nudges, sizeof nudges);
    if (ready != 0) // nudged or interrupted: not a whole beat has passed
      continue;
    ++pulse_.beat;
    bool found = false;
    for (auto &connection : connections_)
      found |= connection->beat();
    if (found)
      look();
  }
}

} // namespace sluice::rt
