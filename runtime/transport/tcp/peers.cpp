// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The watch thread.
#include "runtime/transport/tcp/peers.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

namespace sluice::rt {

namespace {
constexpr uint64_t kMillisecondNs = 1'000'000;
constexpr uint64_t kShortestBeatNs = kMillisecondNs;
constexpr long kLongestAsideNs = 100'000; // then somebody else reads and writes
} // namespace

Peers::Peers(const std::vector<std::string> &names, uint64_t mostSilentNs, uint64_t beatNs)
    : mostSilentNs_(mostSilentNs), nudge_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      alarm_(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)) {
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
  if (!nudge_.isOpen() || !alarm_.isOpen())
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

void Peers::ownerStepsAside() {
  aside_ = looks_.load(std::memory_order_relaxed);
  if (alarmIsSet_.load(std::memory_order_relaxed) || alarmIsSet_.exchange(true))
    return;
  itimerspec once{{}, {0, kLongestAsideNs}};
  ::timerfd_settime(alarm_.fd(), 0, &once, nullptr);
}

bool Peers::ownerIsAway() const { return aside_ == looks_; }

// What is true of a connection wakes the owner.
bool Peers::beat() {
  ++pulse_.beat;
  bool found = false;
  for (auto &connection : connections_)
    found |= connection->beat();
  return found;
}

bool Peers::attend() {
  bool found = false;
  for (auto &connection : connections_)
    found |= connection->attend();
  return found;
}

void Peers::watch(const std::function<void()> &look) {
  constexpr size_t kNudge = 0, kAlarm = 1;
  Clock &clock = systemClock();
  std::vector<pollfd> awaited;
  uint64_t lastBeat = clock.now();
  while (true) {
    awaited.assign({{nudge_.fd(), POLLIN, 0}, {alarm_.fd(), POLLIN, 0}});
    bool attends = ownerIsAway() && !alarmIsSet_;
    for (size_t i = 0; attends && i < connections_.size(); ++i)
      awaited.push_back(connections_[i]->awaited());
    uint64_t now = clock.now(), end = lastBeat + beatNs_, left = end > now ? end - now : 0;
    int milliseconds = static_cast<int>((left + kMillisecondNs - 1) / kMillisecondNs);
    int ready = ::poll(awaited.data(), awaited.size(), milliseconds);
    if (stop_)
      return;
    uint64_t rings;
    if (ready > 0 && awaited[kNudge].revents)
      (void)!::read(nudge_.fd(), &rings, sizeof rings);
    if (ready > 0 && awaited[kAlarm].revents) {
      (void)!::read(alarm_.fd(), &rings, sizeof rings);
      alarmIsSet_ = false; // before the look at whether it is away
    }
    bool found = false;
    if (clock.now() - lastBeat >= beatNs_) {
      found = beat();
      lastBeat = clock.now();
    }
    if (ownerIsAway() && !alarmIsSet_)
      found |= attend();
    if (found)
      look();
  }
}

} // namespace sluice::rt
