// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parsing, resolving and printing of addresses.
#include "runtime/transport/tcp/address.h"

#include <arpa/inet.h>
#include <charconv>
#include <cstring>
#include <netdb.h>
#include <netinet/in.h>

namespace sluice::rt {

namespace {

const sockaddr_in &asV4(const SocketAddress &address) {
  return reinterpret_cast<const sockaddr_in &>(address.storage);
}
const sockaddr_in6 &asV6(const SocketAddress &address) {
  return reinterpret_cast<const sockaddr_in6 &>(address.storage);
}

// Returns what getaddrinfo does; 0 is success.
int ask(const std::string &host, const std::string &port, int flags,
        std::vector<SocketAddress> &found) {
  addrinfo hints{}, *list = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | flags;
  int error = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &list);
  if (error)
    return error;
  for (addrinfo *entry = list; entry; entry = entry->ai_next) {
    SocketAddress address;
    std::memcpy(&address.storage, entry->ai_addr, entry->ai_addrlen);
    address.size = entry->ai_addrlen;
    found.push_back(address);
  }
  ::freeaddrinfo(list);
  return 0;
}

SocketAddress ask(int fd, decltype(::getsockname) *question) {
  SocketAddress address;
  address.size = sizeof address.storage;
  if (question(fd, address.get(), &address.size) != 0)
    address.size = 0;
  return address;
}

} // namespace

bool SocketAddress::isLoopback() const {
  if (family() == AF_INET)
    return ntohl(asV4(*this).sin_addr.s_addr) >> 24 == 127;
  return family() == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&asV6(*this).sin6_addr);
}

std::string SocketAddress::text() const {
  char host[INET6_ADDRSTRLEN] = "";
  if (family() == AF_INET) {
    ::inet_ntop(AF_INET, &asV4(*this).sin_addr, host, sizeof host);
    return format("%s:%u", host, unsigned{ntohs(asV4(*this).sin_port)});
  }
  if (family() == AF_INET6) {
    ::inet_ntop(AF_INET6, &asV6(*this).sin6_addr, host, sizeof host);
    return format("[%s]:%u", host, unsigned{ntohs(asV6(*this).sin6_port)});
  }
  return "unknown address";
}

Result<HostPort> parseHostPort(const std::string &text) {
  Status bad =
      invalidArgument("expected an address like host:port or [IPv6]:port but got '" + text + "'");
  size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0)
    return bad;
  HostPort where{text.substr(0, colon), text.substr(colon + 1)};
  if (where.host.front() == '[' && where.host.back() == ']')
    where.host = where.host.substr(1, where.host.size() - 2);
  else if (where.host.find_first_of(":[]") != std::string::npos)
    return bad;
  uint16_t port = 0;
  const char *end = where.port.data() + where.port.size();
  auto [stop, error] = std::from_chars(where.port.data(), end, port);
  if (error != std::errc() || stop != end || where.host.empty())
    return bad;
  if (port == 0)
    return invalidArgument("address '" + text + "' has port 0: peers need to know the port");
  return where;
}

std::vector<SocketAddress> numericAddresses(const HostPort &where) {
  std::vector<SocketAddress> found;
  const std::string &host = where.host == "localhost" ? std::string("127.0.0.1") : where.host;
  (void)ask(host, where.port, AI_NUMERICHOST, found);
  return found;
}

Result<std::vector<SocketAddress>> resolve(const HostPort &where) {
  std::vector<SocketAddress> found;
  if (int error = ask(where.host, where.port, 0, found))
    return Status(Code::kUnavailable,
                  "cannot resolve '" + where.host + "': " + ::gai_strerror(error));
  return found;
}

SocketAddress localAddress(int fd) { return ask(fd, ::getsockname); }
SocketAddress remoteAddress(int fd) { return ask(fd, ::getpeername); }

} // namespace sluice::rt
