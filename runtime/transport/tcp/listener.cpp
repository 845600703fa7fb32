// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Making sockets.
#include "runtime/transport/tcp/listener.h"

#include <cerrno>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

namespace sluice::rt {

namespace {

// Messages are gathered above: what is handed over should leave.
void sendAtOnce(const Socket &socket) {
  int on = 1;
  ::setsockopt(socket.fd(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

} // namespace

Result<Socket> openSocket(int family) {
  Socket socket(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.isOpen())
    return systemFailure("cannot make a socket", errno);
  sendAtOnce(socket);
  return socket;
}

Result<Socket> listenAt(const SocketAddress &address) {
  SLUICE_ASSIGN_OR_RETURN(Socket socket, openSocket(address.family()));
  int on = 1;
  ::setsockopt(socket.fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(socket.fd(), address.get(), address.size) != 0 ||
      ::listen(socket.fd(), SOMAXCONN) != 0)
    return Status(Code::kAlreadyExists, // or it cannot be had
                  "cannot listen at " + address.text() + ": " + std::strerror(errno));
  return socket;
}

Result<Socket> adoptListener(int fd) {
  int listens = 0;
  socklen_t size = sizeof listens;
  if (::getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || !listens)
    return invalidArgument(format("file descriptor %d is not a socket that listens", fd));
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  return Socket(fd);
}

Result<Socket> acceptFrom(const Socket &listener) {
  while (true) {
    Socket socket(::accept4(listener.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket.isOpen()) {
      sendAtOnce(socket);
      return socket;
    }
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
      return systemFailure("cannot accept connections", errno);
    if (errno == EAGAIN)
      return Socket();
    if (errno == EBADF || errno == EINVAL || errno == ENOTSOCK || errno == EOPNOTSUPP)
      return systemFailure("cannot accept connections", errno);
    // Interrupted, or a connection that broke before it was accepted: the next one.
  }
}

} // namespace sluice::rt
