// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The context that all of a process shares on a device.
#pragma once

#include "runtime/device/cuda/driver_errors.h"

namespace sluice::rt::cuda {

class PrimaryContext {
public:
  PrimaryContext(const Driver &driver, DriverErrors &errors) : driver_(driver), errors_(errors) {}
  ~PrimaryContext() {
    if (context_ && !abandoned_)
      driver_.cuDevicePrimaryCtxRelease(device_);
  }
  PrimaryContext(const PrimaryContext &) = delete;
  PrimaryContext &operator=(const PrimaryContext &) = delete;

  Status retain(Device device) {
    device_ = device;
    return errors_.check(driver_.cuDevicePrimaryCtxRetain(&context_, device),
                         "cuDevicePrimaryCtxRetain");
  }
  // For the calling thread; the driver looks into a variable of the thread's.
  Status enter() { return errors_.check(driver_.cuCtxSetCurrent(context_), "cuCtxSetCurrent"); }
  Device device() const { return device_; }
  Context handle() const { return context_; }
  // It stays, for ever.
  void abandon() { abandoned_ = true; }

private:
  const Driver &driver_;
  DriverErrors &errors_;
  Device device_ = 0;
  Context context_ = nullptr;
  bool abandoned_ = false;
};

} // namespace sluice::rt::cuda
