// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sockets that ranks inherit: opened here for all ranks before the first one starts, so that every
// address is known and nobody connects to a rank that does not listen yet.
#pragma once

#include "runtime/base/status.h"

#include <string>

namespace sluice::run {

class ListeningSocket {
public:
  // `address` is host:port with a host of this machine; the system chooses for port 0.
  static rt::Result<ListeningSocket> open(const std::string &address);
  ListeningSocket(ListeningSocket &&other) noexcept;
  ListeningSocket &operator=(ListeningSocket &&) = delete;
  ~ListeningSocket();

  int descriptor() const { return descriptor_; }
  // What the other ranks connect to: numbers only.
  const std::string &address() const { return address_; }

private:
  explicit ListeningSocket(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
  std::string address_;
};

} // namespace sluice::run
