// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The connections of a transport, by rank, and the watch that keeps them alive.
#pragma once

#include "runtime/base/threads.h"
#include "runtime/transport/tcp/connection.h"

#include <functional>
#include <memory>
#include <vector>

namespace sluice::rt {

class Peers {
public:
  // `names` by rank. The one with our own rank stays closed.
  Peers(const std::vector<std::string> &names, uint64_t mostSilentNs, uint64_t beatNs);
  ~Peers();
  Peers(const Peers &) = delete;

  uint32_t size() const { return static_cast<uint32_t>(connections_.size()); }
  Connection &operator[](uint32_t rank) { return *connections_[rank]; }
  const Connection &operator[](uint32_t rank) const { return *connections_[rank]; }

  uint64_t beatNs() const { return beatNs_; }
  // By the owner: it looks for messages, or it waits for some.
  void ownerLooks() { pulse_.ownerBeat = pulse_.beat.load(); }
  void ownerWaits(bool waits) { pulse_.ownerWaits = waits; }

  // Some peer needs signs of life so often.
  void beatAtLeastEvery(uint32_t milliseconds);

  // `look` is called from the watch when there is something for the owner.
  Status startWatch(Threads &threads, std::function<void()> look);
  void stopWatch();

private:
  void watch(const std::function<void()> &look);
  void setBeat(uint64_t beatNs);
  void nudgeWatch();

  Pulse pulse_;
  const uint64_t mostSilentNs_;
  std::atomic<uint64_t> beatNs_;
  std::atomic<bool> stop_ = false;
  Socket nudge_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::unique_ptr<ThreadHandle> thread_;
};

} // namespace sluice::rt
