// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SIGUSR2 asks a program that runs alone how far it is.
#pragma once

#include <atomic>

namespace sluice::rt {

// Handles the signal from now on; set whenever it has come.
const std::atomic<unsigned> &reportSignal();

} // namespace sluice::rt
