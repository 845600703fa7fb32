// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Connects this rank with all others: calls the lower ones, answers the higher ones, and keeps
// strangers out meanwhile.
#pragma once

#include "runtime/transport/tcp/dialer.h"
#include "runtime/transport/tcp/peers.h"
#include "runtime/transport/tcp/resolver.h"

#include <deque>
#include <poll.h>

namespace sluice::rt {

class Mesh {
public:
  // `listener` may be not open if there is no higher rank.
  Mesh(const TcpOptions &options, const Resolver &resolver, Socket listener, Peers &peers);

  // Until all are connected, `deadline` has come, or something must end us.
  Status run(uint64_t deadline);

private:
  void step(uint64_t now);
  void stepDialers(uint64_t now);
  void stepStrangers(uint64_t now);
  void connectForFarewell();
  // The first one counts.
  void fail(Status status);
  void acceptAll(uint64_t now);
  Status connected(Greeting &greeting);
  bool isComplete() const;
  void pause(uint64_t now, uint64_t deadline);
  Status missing() const;
  void log(const std::string &line) const;
  void logDropped(const std::string &why);

  const TcpOptions &options_;
  const Resolver &resolver_;
  Party party_;
  Socket listener_;
  Peers &peers_;
  uint64_t dropped_ = 0; // connections
  std::vector<Dialer> dialers_;
  std::deque<std::unique_ptr<Greeting>> strangers_; // oldest first
  Status failure_;
  uint64_t acceptAgain_ = 0; // not before, after the system had no room for a connection
};

} // namespace sluice::rt
