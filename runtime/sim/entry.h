// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all functions of the driver begin and end with: lock, injected failures, errors that stay.
#pragma once

#include "runtime/sim/driver.h"
#include "runtime/sim/report.h"

namespace sluice::rt::sim {

using namespace cuda; // what the driver has is spelt as in its interface

// The functions, under their own names; each is defined in one of the api_*.cpp.
#define FUNCTION(name, version, parameters) Result name parameters;
#include "runtime/device/cuda/cuda_functions.def"
#undef FUNCTION

// What the function answers instead of doing anything, or kSuccess.
cuda::Result refusal(Driver &driver, const char *function, bool needsContext);

// `body` gets the driver and the lock. Afterwards streams run for as long as the policy lets them.
template <typename Body> cuda::Result entry(const char *function, bool needsContext, Body body) {
  Streams::Lock lock(driverLock());
  Driver &one = driver();
  if (cuda::Result result = refusal(one, function, needsContext))
    return result;
  cuda::Result result = body(one, lock);
  one.streams.pump();
  return result != cuda::kSuccess ? result : one.sticky;
}

template <typename Body> cuda::Result entry(const char *function, Body body) {
  return entry(function, true, std::move(body));
}

// The stream of a call, or why it cannot be: the default stream's rules are not simulated.
cuda::Result checkStream(Driver &driver, const char *function, cuda::Stream stream);

} // namespace sluice::rt::sim
