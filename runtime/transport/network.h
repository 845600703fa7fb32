// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Byte streams between processes, behind an interface: TCP for real, and a twin inside one process
// for tests. Every call that may wait has a deadline; what times out is DEADLINE_EXCEEDED.
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/threads.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace sluice::rt {

// A connection. One thread may read while another writes. Closed when destroyed; the peer then reads
// the end of the stream.
class Stream {
public:
  virtual ~Stream() = default;
  // At least one byte, or 0 at the end of the stream. UNAVAILABLE when the connection broke.
  virtual Result<size_t> read(std::span<char> into, uint64_t timeoutNs) = 0;
  // All bytes. UNAVAILABLE when the peer is gone.
  virtual Status write(std::span<const char> bytes, uint64_t timeoutNs) = 0;
};

class Listener {
public:
  virtual ~Listener() = default;
  // What peers connect to, with the port that the system chose if 0 was asked for.
  virtual std::string address() const = 0;
  virtual Result<std::unique_ptr<Stream>> accept(uint64_t timeoutNs) = 0;
};

class Network {
public:
  virtual ~Network() = default;
  // Addresses are "host:port"; INVALID_ARGUMENT for others, UNAVAILABLE when it is taken.
  virtual Result<std::unique_ptr<Listener>> listen(const std::string &address) = 0;
  // UNAVAILABLE when nobody listens there.
  virtual Result<std::unique_ptr<Stream>> connect(const std::string &address,
                                                  uint64_t timeoutNs) = 0;
};

// TCP over IPv4, numeric addresses and "localhost".
std::unique_ptr<Network> makeTcpNetwork(Clock &clock);
// Streams that never leave the process.
std::unique_ptr<Network> makeInProcessNetwork();

} // namespace sluice::rt
