// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the simulator tells people, on stderr.
#pragma once

#include "runtime/device/cuda/cuda_abi.h"

#include <string>

namespace sluice::rt::sim {

// A line that begins with `sluice-sim: `.
void say(const char *pattern, ...) __attribute__((format(printf, 1, 2)));

// The same, and the answer to a call that was wrong: `return refuse(kInvalidValue, …)`.
cuda::Result refuse(cuda::Result result, const char *pattern, ...)
    __attribute__((format(printf, 2, 3)));

// printf into a string.
std::string text(const char *pattern, ...) __attribute__((format(printf, 1, 2)));

} // namespace sluice::rt::sim
