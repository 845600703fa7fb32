// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DriverErrors.
#include "runtime/device/cuda/driver_errors.h"

namespace sluice::rt::cuda {

std::string resultText(const Driver &driver, Result result) {
  const char *name = nullptr, *text = nullptr;
  if (!driver.cuGetErrorName || driver.cuGetErrorName(result, &name) != kSuccess || !name)
    return format("error %d of the driver", static_cast<int>(result));
  if (driver.cuGetErrorString(result, &text) != kSuccess || !text)
    text = "no text";
  return format("%s (%d): %s", name, static_cast<int>(result), text);
}

// The context is lost with these.
static bool breaksDevice(Result result) {
  switch (result) {
  case kDeinitialized:
  case kEccUncorrectable:
  case kIllegalAddress:
  case kLaunchTimeout:
  case kContextIsDestroyed:
  case kAssert:
  case kHardwareStackError:
  case kIllegalInstruction:
  case kMisalignedAddress:
  case kInvalidAddressSpace:
  case kInvalidPc:
  case kLaunchFailed:
    return true;
  default:
    return false;
  }
}

static Code codeOf(Result result) {
  switch (result) {
  case kOutOfMemory:
    return Code::kResourceExhausted;
  case kNotFound:
    return Code::kNotFound;
  case kNotInitialized:
  case kStubLibrary:
  case kDeviceUnavailable:
  case kNoDevice:
  case kInvalidDevice:
  case kSystemNotReady:
  case kSystemDriverMismatch:
    return Code::kUnavailable;
  default:
    return Code::kInternal;
  }
}

Status DriverErrors::note(Result result, const char *call) {
  Status status(codeOf(result), device_ + ": " + call + " failed: " + resultText(driver_, result));
  if (breaksDevice(result)) {
    std::lock_guard lock(mutex_);
    if (!broken_) {
      first_ = Status(status.code(), status.message() + "; the device cannot be used any more");
      broken_ = true;
    }
    return first_;
  }
  return status;
}

Status DriverErrors::health() const { return broken_ ? first_ : okStatus(); }

} // namespace sluice::rt::cuda
