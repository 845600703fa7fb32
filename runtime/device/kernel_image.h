// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for devices, as executables carry it, and what becomes of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace sluice::rt {

// Machine code for one architecture ("sm_90") or text that a driver compiles for that one and later
// ones ("compute_90"). The bytes must stay as long as the device.
struct KernelImage {
  std::string_view target;
  std::span<const std::byte> bytes;
};

// Of the device that made them.
struct KernelModule {
  void *handle = nullptr;
};
struct DeviceKernel {
  void *handle = nullptr;
};

struct KernelLaunch {
  struct Extent {
    unsigned x = 1, y = 1, z = 1;
  };
  DeviceKernel kernel;
  Extent grid, block;
  size_t sharedBytes = 0; // beside what the kernel declares
  // Where the value of each parameter is; read before the call returns.
  void **parameters = nullptr;
};

} // namespace sluice::rt
