// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host names become addresses in a thread of their own, as the system's resolver knows no deadline.
#pragma once

#include "runtime/base/threads.h"
#include "runtime/transport/tcp/address.h"

#include <memory>

namespace sluice::rt {

class Resolver {
public:
  // Starts to look up all that is not a number, and tries again what fails.
  Resolver(Threads &threads, std::vector<HostPort> names);
  // Abandons a question that the system does not answer.
  ~Resolver();
  Resolver(const Resolver &) = delete;

  // Empty while unknown.
  std::vector<SocketAddress> find(size_t index) const;
  // Why it is not known yet.
  std::string trouble(size_t index) const;

private:
  struct Shared;
  static void run(Shared &shared);
  std::shared_ptr<Shared> shared_;
  std::unique_ptr<ThreadHandle> thread_;
};

} // namespace sluice::rt
