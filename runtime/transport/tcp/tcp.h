// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages over TCP, one connection for each pair of ranks. docs/wire-protocol.md has the bytes.
#pragma once

#include "runtime/base/threads.h"
#include "runtime/transport/transport.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::rt {

// What all ranks of a run must agree on; at most 64 bytes each, the run's id 255.
struct TcpIdentity {
  std::string programHash, clusterHash, runId;
  uint32_t window = 0;
};

struct TcpOptions {
  uint32_t rank = 0;
  // By rank: "host:port", IPv6 in brackets. Ranks listen at theirs and connect to all lower ones.
  std::vector<std::string> addresses;
  // A socket that already listens, for us to close; its address counts then, not the one above.
  int listenFd = -1;
  TcpIdentity identity;
  // Shared secret of all ranks, at least 16 bytes that nobody can guess; empty: none.
  std::string key;
  // Addresses outside this machine may be used without a key.
  bool insecure = false;

  uint64_t connectTimeoutNs = 30'000'000'000;
  uint64_t handshakeTimeoutNs = 5'000'000'000; // for one connection
  // Of silence, until a peer counts as lost. Ranks may differ: each beats as often as its peers
  // need.
  uint64_t peerTimeoutNs = 4'000'000'000;
  uint64_t heartbeatNs = 0;  // 0: an eighth of peerTimeoutNs
  uint64_t spinNs = 0;       // for so long `wait` asks the sockets over and over before it blocks
  size_t mostStrangers = 64; // connections that have not finished their handshake

  uint64_t beatNs() const { return heartbeatNs ? heartbeatNs : peerTimeoutNs / 8; }

  Clock *clock = &systemClock();
  Threads *threads = &systemThreads();
  // One line for each connection that was dropped, and why; called in `connectTcp` only.
  std::function<void(std::string_view)> log;
  // Asked now and then in `connectTcp`, and after signals: true ends that with CANCELLED.
  std::function<bool()> giveUp;
};

// Returns once all ranks are connected with this one. DEADLINE_EXCEEDED names the ranks that are
// missing; PERMISSION_DENIED: a peer or this rank refuses, or an address needs a key;
// ALREADY_EXISTS: the own address cannot be had; UNAVAILABLE: a peer has died meanwhile;
// INVALID_ARGUMENT: the options cannot be right. Peers that are connected already are told, and
// give up for the same reason.
Result<std::unique_ptr<Transport>> connectTcp(const TcpOptions &options);

} // namespace sluice::rt
