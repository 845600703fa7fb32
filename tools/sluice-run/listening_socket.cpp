// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Listening TCP sockets.
#include "tools/sluice-run/listening_socket.h"

#include "runtime/transport/tcp/address.h"

#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <unistd.h>
#include <utility>

namespace sluice::run {

namespace {

// As peers' addresses are written, but port 0 may be asked for.
rt::Result<rt::HostPort> split(const std::string &address) {
  size_t colon = address.rfind(':');
  if (colon == std::string::npos || address.substr(colon) != ":0")
    return rt::parseHostPort(address);
  SLUICE_ASSIGN_OR_RETURN(rt::HostPort where, rt::parseHostPort(address.substr(0, colon) + ":1"));
  where.port = "0";
  return where;
}

rt::Status cannotListen(const std::string &address, int error) {
  const char *hint = error == EADDRNOTAVAIL ? "; sluice-run starts ranks on this machine only" : "";
  return {rt::Code::kUnavailable,
          "cannot listen on '" + address + "': " + std::strerror(error) + hint};
}

// Nobody can connect to "any address"; all ranks are here.
std::string reachable(std::string address) {
  for (auto [any, loopback] : {std::pair("0.0.0.0:", "127.0.0.1:"), {"[::]:", "[::1]:"}})
    if (address.starts_with(any))
      address.replace(0, std::strlen(any), loopback);
  return address;
}

} // namespace

ListeningSocket::ListeningSocket(ListeningSocket &&other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), address_(std::move(other.address_)) {}

ListeningSocket::~ListeningSocket() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

rt::Result<ListeningSocket> ListeningSocket::open(const std::string &address) {
  SLUICE_ASSIGN_OR_RETURN(rt::HostPort where, split(address));
  std::vector<rt::SocketAddress> found = rt::numericAddresses(where);
  if (found.empty()) {
    SLUICE_ASSIGN_OR_RETURN(found, rt::resolve(where));
  }
  int error = EADDRNOTAVAIL;
  for (const rt::SocketAddress &candidate : found) {
    ListeningSocket result(::socket(candidate.family(), SOCK_STREAM | SOCK_CLOEXEC, 0));
    int on = 1;
    bool good = result.descriptor_ >= 0 &&
                !::setsockopt(result.descriptor_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) &&
                !::bind(result.descriptor_, candidate.get(), candidate.size) &&
                !::listen(result.descriptor_, SOMAXCONN);
    error = errno;
    if (!good)
      continue;
    result.address_ = reachable(rt::localAddress(result.descriptor_).text());
    return result;
  }
  return cannotListen(address, error);
}

} // namespace sluice::run
