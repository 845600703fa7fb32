// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The connections of a transport, by rank, and the watch, a thread that keeps them alive. While the
// owner is away it also reads and writes.
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
  void ownerLooks() {
    pulse_.ownerBeat = pulse_.beat.load();
    looks_.store(looks_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void ownerWaits(bool waits) { pulse_.ownerWaits = waits; }
  // It may not look again for long. Costs next to nothing while it does so often.
  void ownerStepsAside();

  // Some peer needs signs of life so often.
  void beatAtLeastEvery(uint32_t milliseconds);

  // `look` is called from the watch when there is something for the owner.
  Status startWatch(Threads &threads, std::function<void()> look);
  void stopWatch();

private:
  void watch(const std::function<void()> &look);
  bool ownerIsAway() const;
  bool beat();
  bool attend();
  void setBeat(uint64_t beatNs);
  void nudgeWatch();

  Pulse pulse_;
  const uint64_t mostSilentNs_;
  std::atomic<uint64_t> beatNs_;
  std::atomic<bool> stop_ = false;
  Socket nudge_;
  Socket alarm_;                        // rings some time after the owner has stepped aside
  std::atomic<uint64_t> looks_ = 0;     // of the owner
  std::atomic<uint64_t> aside_ = ~0ull; // how many there were when it stepped aside
  std::atomic<bool> alarmIsSet_ = false;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::unique_ptr<ThreadHandle> thread_;
};

} // namespace sluice::rt
