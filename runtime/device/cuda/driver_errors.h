// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the driver answers, as a Status with its own name and text; and the first answer after which
// a device is of no use any more.
#pragma once

#include "runtime/device/cuda/driver.h"

#include <atomic>
#include <mutex>

namespace sluice::rt::cuda {

// "CUDA_ERROR_NO_DEVICE (100): no CUDA-capable device is detected"
std::string resultText(const Driver &driver, Result result);

class DriverErrors {
public:
  DriverErrors(const Driver &driver, std::string device)
      : driver_(driver), device_(std::move(device)) {}

  // From any thread. `call` is the name of the function.
  Status check(Result result, const char *call) {
    return result == kSuccess ? okStatus() : note(result, call);
  }
  // OK as long as the device can be used.
  Status health() const;

private:
  Status note(Result result, const char *call);

  const Driver &driver_;
  const std::string device_;
  mutable std::mutex mutex_;
  std::atomic<bool> broken_ = false;
  Status first_; // written once, before `broken_`
};

} // namespace sluice::rt::cuda
