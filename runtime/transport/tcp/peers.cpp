// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The watch thread.
#include "runtime/transport/tcp/peers.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/eventfd.h>

namespace sluice::rt {

Peers::Peers(const std::vector<std::string> &names, uint64_t mostSilentNs, uint64_t beatNs)
    : beatNs_(std::max<uint64_t>(beatNs, 1'000'000)),
      stop_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  // A peer speaks every two beats at the latest: fewer than four would be a hair trigger.
  pulse_.mostSilent =
      static_cast<uint32_t>(std::max<uint64_t>((mostSilentNs + beatNs_ - 1) / beatNs_, 4));
  pulse_.mostSilentSeconds = static_cast<double>(mostSilentNs) / 1e9;
  for (uint32_t rank = 0; rank < names.size(); ++rank)
    connections_.push_back(std::make_unique<Connection>(rank, names[rank], pulse_));
}

Peers::~Peers() { stopWatch(); }

Status Peers::startWatch(Threads &threads, std::function<void()> look) {
  if (!stop_.isOpen())
    return systemFailure("cannot watch connections", errno);
  thread_ = threads.start("sluice-watch", [this, look = std::move(look)] { watch(look); });
  if (!thread_)
    return resourceExhausted("the system refuses the thread that watches connections");
  return okStatus();
}

void Peers::stopWatch() {
  if (!thread_)
    return;
  uint64_t one = 1;
  (void)!::write(stop_.fd(), &one, sizeof one);
  thread_.reset();
}

void Peers::watch(const std::function<void()> &look) {
  int milliseconds = static_cast<int>((beatNs_ + 999'999) / 1'000'000);
  while (true) {
    pollfd entry{stop_.fd(), POLLIN, 0};
    int ready = ::poll(&entry, 1, milliseconds);
    if (ready > 0)
      return;
    if (ready < 0) // interrupted: not a whole beat has passed
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
