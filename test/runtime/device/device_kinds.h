// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The devices that the conformance suite runs on. A new implementation gets a line here.
#pragma once

#include "runtime/device/cpu/cpu_device.h"
#include "runtime/device/cuda/cuda_device.h"
#include "test/runtime/device/simulated_driver.h"

#include <memory>
#include <ostream>

namespace sluice::rt {

struct DeviceKind {
  const char *name;
  Result<std::unique_ptr<Device>> (*open)(size_t computeStreams, uint64_t memoryLimit);
  // UNAVAILABLE then is no fault: the machine has none.
  bool mayBeMissing = false;
};
inline void PrintTo(const DeviceKind &kind, std::ostream *out) { *out << kind.name; }

inline Result<std::unique_ptr<Device>> openGpu(Result<cuda::Driver> driver, size_t computeStreams,
                                               uint64_t memoryLimit) {
  if (!driver.ok())
    return driver.status();
  cuda::CudaDevice::Options options;
  options.computeStreams = computeStreams;
  options.memoryLimit = memoryLimit;
  auto device = cuda::CudaDevice::open(*driver, 0, options);
  if (!device.ok())
    return device.status();
  return std::unique_ptr<Device>(std::move(*device));
}

const DeviceKind kDeviceKinds[] = {
    {"Cpu",
     [](size_t streams, uint64_t limit) -> Result<std::unique_ptr<Device>> {
       return std::unique_ptr<Device>(new CpuDevice(0, {streams, limit}));
     }},
    {"Simulated",
     [](size_t streams, uint64_t limit) { return openGpu(simulatedDriver(), streams, limit); }},
    {"Cuda",
     [](size_t streams, uint64_t limit) { return openGpu(cuda::loadDriver(), streams, limit); },
     true},
};

} // namespace sluice::rt
