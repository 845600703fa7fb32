// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TCP connections between processes of one machine, for hand-written floors. Nothing outlives its
// deadline: every process has an alarm, and children go with their parent.
#pragma once

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <span>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace sluice::bench {

constexpr unsigned kDeadlineSeconds = 120;

[[noreturn]] inline void die(const char *what) {
  std::perror(what);
  std::exit(1);
}

inline double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

inline int sendAtOnce(int fd) {
  int on = 1;
  if (fd < 0 || ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0)
    die("connection");
  return fd;
}

// Starts processes that run `child` with a connection to this one; returns the connections.
inline std::vector<int> startChildren(int count, const std::function<void(int)> &child) {
  ::alarm(kDeadlineSeconds);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto *name = reinterpret_cast<sockaddr *>(&address);
  int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (::bind(listener, name, size) != 0 || ::listen(listener, count) != 0 ||
      ::getsockname(listener, name, &size) != 0)
    die("listen");
  std::vector<int> connections;
  for (int i = 0; i < count; ++i) {
    pid_t pid = ::fork();
    if (pid < 0)
      die("fork");
    if (pid == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::alarm(kDeadlineSeconds);
      int fd = sendAtOnce(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
      if (::connect(fd, name, size) != 0)
        die("connect");
      child(fd);
      ::_exit(0);
    }
    connections.push_back(sendAtOnce(::accept(listener, nullptr, nullptr)));
  }
  ::close(listener);
  return connections;
}

inline void awaitChildren() {
  int status;
  while (::wait(&status) > 0)
    if (status != 0)
      std::exit(1);
}

inline void sendAll(int fd, std::span<const char> bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0)
      die("send");
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
}

// Fills `bytes`. False at the end of the stream.
inline bool receiveAll(int fd, std::span<char> bytes, bool spin) {
  while (!bytes.empty()) {
    ssize_t count = ::recv(fd, bytes.data(), bytes.size(), spin ? MSG_DONTWAIT : MSG_WAITALL);
    if (count < 0 && errno == EAGAIN)
      continue;
    if (count < 0)
      die("receive");
    if (count == 0)
      return false;
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
  return true;
}

inline int positive(const char *text) {
  int number = std::atoi(text);
  if (number > 0)
    return number;
  std::fprintf(stderr, "error: expected a number above 0 but got '%s'\n", text);
  std::exit(2);
}

} // namespace sluice::bench
