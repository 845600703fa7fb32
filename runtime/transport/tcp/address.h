// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses as people write them, and as sockets take them.
#pragma once

#include "runtime/base/status.h"

#include <string>
#include <sys/socket.h>
#include <vector>

namespace sluice::rt {

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;

  const sockaddr *get() const { return reinterpret_cast<const sockaddr *>(&storage); }
  sockaddr *get() { return reinterpret_cast<sockaddr *>(&storage); }
  int family() const { return storage.ss_family; }
  bool isLoopback() const;
  std::string text() const; // "127.0.0.1:7000", "[::1]:7000"
};

struct HostPort {
  std::string host;
  std::string port;
};

// "host:port" or "[IPv6]:port". INVALID_ARGUMENT for others, and for port 0.
Result<HostPort> parseHostPort(const std::string &text);

// Of a number or "localhost", which ask nobody; empty for other names.
std::vector<SocketAddress> numericAddresses(const HostPort &where);

// Asks the system, which may take long. UNAVAILABLE when the name is unknown.
Result<std::vector<SocketAddress>> resolve(const HostPort &where);

SocketAddress localAddress(int fd);
SocketAddress remoteAddress(int fd);

} // namespace sluice::rt
