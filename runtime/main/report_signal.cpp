// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The handler of SIGUSR2.
#include "runtime/main/report_signal.h"

#include <csignal>

namespace sluice::rt {

// Handlers can reach nothing else.
static std::atomic<unsigned> wanted;

const std::atomic<unsigned> &reportSignal() {
  struct sigaction action{};
  action.sa_handler = [](int) { ++wanted; };
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGUSR2, &action, nullptr);
  return wanted;
}

} // namespace sluice::rt
