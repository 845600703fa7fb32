// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file descriptor that is closed with its owner.
#pragma once

#include "runtime/base/status.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace sluice::rt {

class Socket {
public:
  explicit Socket(int fd = -1) : fd_(fd) {}
  Socket(Socket &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket &operator=(Socket &&other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Socket() { close(); }

  int fd() const { return fd_; }
  bool isOpen() const { return fd_ >= 0; }
  void close() {
    if (fd_ >= 0)
      ::close(std::exchange(fd_, -1));
  }

private:
  int fd_;
};

// Something that this process could not have; peers have no part in it.
inline Status systemFailure(const std::string &what, int error) {
  bool files = error == EMFILE || error == ENFILE;
  return {files ? Code::kFailedPrecondition : Code::kUnavailable,
          what + ": " + std::strerror(error) + (files ? "; raise ulimit -n" : "")};
}

} // namespace sluice::rt
