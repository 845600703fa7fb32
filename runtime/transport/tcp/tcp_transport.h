// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The transport over connections that have been made.
#pragma once

#include "runtime/transport/tcp/peers.h"
#include "runtime/transport/tcp/spin_policy.h"
#include "runtime/transport/tcp/tcp.h"

#include <poll.h>

namespace sluice::rt {

class TcpTransport final : public Transport {
public:
  TcpTransport(const TcpOptions &options, const std::vector<std::string> &names);
  ~TcpTransport() override { peers_.stopWatch(); }

  // Before anything else: the watch keeps connections alive while others are still being made.
  Status start(Threads &threads);
  Peers &peers() { return peers_; }
  // All connections are open.
  void beginUse();

  uint32_t rank() const override { return rank_; }
  uint32_t size() const override { return peers_.size(); }
  void send(uint32_t peer, MessageHeader header, std::span<const char> first,
            std::span<const char> second, Owner owner) override;
  void flush() override;
  bool poll(Handler &handler) override;
  void stepAside() override { peers_.ownerStepsAside(); }
  void wait(uint64_t timeoutNs) override;
  void wake() override;
  uint64_t silence(uint32_t peer) const override {
    return peers_[peer].silentBeats() * peers_.beatNs();
  }
  uint64_t unsent(uint32_t peer) const override { return peers_[peer].unsent(); }
  void close(uint64_t timeoutNs) override;
  // The same with a reason: peers lose this rank with that status.
  void leave(const Status &why, uint64_t timeoutNs);

private:
  bool spin(uint64_t until);
  void block(uint64_t timeoutNs);
  bool awaitFew(uint64_t timeoutNs);
  bool awaitMany(uint64_t timeoutNs);
  bool watchMany();
  bool somethingUnsent() const;

  const uint32_t rank_;
  SpinPolicy spinPolicy_;
  Clock &clock_;
  Socket wakeEvent_;
  std::atomic<bool> woken_ = false;   // `wake` since the last `wait`
  std::atomic<bool> blocked_ = false; // somebody must write to wakeEvent_
  std::atomic<bool> look_ = false;    // the watch has found something
  bool selective_ = false; // `wait` has just found out which connections are worth a look
  Peers peers_;
  std::vector<Connection *> live_, dirty_;
  Socket epoll_;                // of all connections, if they are many
  std::vector<pollfd> entries_; // for wakeEvent_, then for live_
};

} // namespace sluice::rt
