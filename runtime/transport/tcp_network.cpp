// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Network over TCP: non-blocking sockets, and poll with what is left until the deadline.
#include "runtime/transport/network.h"

#include <arpa/inet.h>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sluice::rt {

namespace {

Status unavailable(const char *what, int error) {
  return {Code::kUnavailable, format("%s: %s", what, std::strerror(error))};
}

// A socket that is closed with its owner.
class Socket {
public:
  explicit Socket(int fd) : fd_(fd) {}
  Socket(Socket &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket &operator=(Socket &&) = delete;
  ~Socket() {
    if (fd_ >= 0)
      ::close(fd_);
  }
  int fd() const { return fd_; }

private:
  int fd_;
};

class Deadline {
public:
  Deadline(Clock &clock, uint64_t timeoutNs)
      : clock_(clock), start_(clock.now()), timeout_(timeoutNs) {}
  // Waits until the socket is ready for `events`.
  Status await(int fd, short events, const char *what) {
    while (true) {
      uint64_t passed = clock_.now() - start_;
      int left = passed >= timeout_ ? 0 : static_cast<int>((timeout_ - passed) / 1000000 + 1);
      pollfd entry{fd, events, 0};
      int ready = ::poll(&entry, 1, left);
      if (ready > 0)
        return okStatus();
      if (ready < 0 && errno != EINTR)
        return unavailable(what, errno);
      if (ready == 0 && left == 0)
        return {Code::kDeadlineExceeded, format("%s timed out", what)};
    }
  }

private:
  Clock &clock_;
  uint64_t start_, timeout_;
};

Result<sockaddr_in> parse(const std::string &address) {
  Status bad = invalidArgument("expected an address of the form host:port but got '" + address + "'");
  size_t colon = address.rfind(':');
  if (colon == std::string::npos)
    return bad;
  std::string host = address.substr(0, colon);
  uint16_t port = 0;
  const char *end = address.data() + address.size();
  auto [stop, error] = std::from_chars(address.data() + colon + 1, end, port);
  if (error != std::errc() || stop != end)
    return bad;
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(port);
  if (::inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host.c_str(), &out.sin_addr) != 1)
    return bad;
  return out;
}

Result<Socket> open() {
  Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (socket.fd() < 0)
    return unavailable("cannot make a socket", errno);
  return socket;
}

class TcpStream final : public Stream {
public:
  TcpStream(Socket socket, Clock &clock) : socket_(std::move(socket)), clock_(clock) {
    int on = 1; // messages are gathered above this layer
    ::setsockopt(socket_.fd(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }

  Result<size_t> read(std::span<char> into, uint64_t timeoutNs) override {
    Deadline deadline(clock_, timeoutNs);
    while (true) {
      ssize_t count = ::recv(socket_.fd(), into.data(), into.size(), 0);
      if (count >= 0)
        return static_cast<size_t>(count);
      if (errno != EAGAIN && errno != EINTR)
        return unavailable("cannot read", errno);
      SLUICE_RETURN_IF_ERROR(deadline.await(socket_.fd(), POLLIN, "reading"));
    }
  }

  Status write(std::span<const char> bytes, uint64_t timeoutNs) override {
    Deadline deadline(clock_, timeoutNs);
    while (!bytes.empty()) {
      ssize_t count = ::send(socket_.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count >= 0)
        bytes = bytes.subspan(static_cast<size_t>(count));
      else if (errno != EAGAIN && errno != EINTR)
        return unavailable("cannot write", errno);
      else
        SLUICE_RETURN_IF_ERROR(deadline.await(socket_.fd(), POLLOUT, "writing"));
    }
    return okStatus();
  }

private:
  Socket socket_;
  Clock &clock_;
};

class TcpListener final : public Listener {
public:
  TcpListener(Socket socket, Clock &clock) : socket_(std::move(socket)), clock_(clock) {}

  std::string address() const override {
    sockaddr_in bound{};
    socklen_t size = sizeof bound;
    ::getsockname(socket_.fd(), reinterpret_cast<sockaddr *>(&bound), &size);
    char host[INET_ADDRSTRLEN] = "";
    ::inet_ntop(AF_INET, &bound.sin_addr, host, sizeof host);
    return format("%s:%u", host, static_cast<unsigned>(ntohs(bound.sin_port)));
  }

  Result<std::unique_ptr<Stream>> accept(uint64_t timeoutNs) override {
    Deadline deadline(clock_, timeoutNs);
    while (true) {
      Socket peer(::accept4(socket_.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (peer.fd() >= 0)
        return std::unique_ptr<Stream>(std::make_unique<TcpStream>(std::move(peer), clock_));
      if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
        return unavailable("cannot accept", errno);
      SLUICE_RETURN_IF_ERROR(deadline.await(socket_.fd(), POLLIN, "accepting"));
    }
  }

private:
  Socket socket_;
  Clock &clock_;
};

class TcpNetwork final : public Network {
public:
  explicit TcpNetwork(Clock &clock) : clock_(clock) {}

  Result<std::unique_ptr<Listener>> listen(const std::string &address) override {
    SLUICE_ASSIGN_OR_RETURN(sockaddr_in where, parse(address));
    SLUICE_ASSIGN_OR_RETURN(Socket socket, open());
    int on = 1;
    ::setsockopt(socket.fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (::bind(socket.fd(), reinterpret_cast<sockaddr *>(&where), sizeof where) != 0 ||
        ::listen(socket.fd(), SOMAXCONN) != 0)
      return unavailable(("cannot listen at '" + address + "'").c_str(), errno);
    return std::unique_ptr<Listener>(std::make_unique<TcpListener>(std::move(socket), clock_));
  }

  Result<std::unique_ptr<Stream>> connect(const std::string &address,
                                          uint64_t timeoutNs) override {
    SLUICE_ASSIGN_OR_RETURN(sockaddr_in where, parse(address));
    SLUICE_ASSIGN_OR_RETURN(Socket socket, open());
    std::string what = "cannot connect to '" + address + "'";
    if (::connect(socket.fd(), reinterpret_cast<sockaddr *>(&where), sizeof where) != 0) {
      if (errno != EINPROGRESS)
        return unavailable(what.c_str(), errno);
      SLUICE_RETURN_IF_ERROR(
          Deadline(clock_, timeoutNs).await(socket.fd(), POLLOUT, "connecting"));
      int error = 0;
      socklen_t size = sizeof error;
      ::getsockopt(socket.fd(), SOL_SOCKET, SO_ERROR, &error, &size);
      if (error)
        return unavailable(what.c_str(), error);
    }
    return std::unique_ptr<Stream>(std::make_unique<TcpStream>(std::move(socket), clock_));
  }

private:
  Clock &clock_;
};

} // namespace

std::unique_ptr<Network> makeTcpNetwork(Clock &clock) {
  return std::make_unique<TcpNetwork>(clock);
}

} // namespace sluice::rt
