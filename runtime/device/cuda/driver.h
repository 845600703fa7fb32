// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA driver as a table of functions, which come from a library of the machine's or from
// whoever has one like it.
//
// What is missing (the library, a function, a device, code for it) is UNAVAILABLE, and the message
// says what was found and what is needed.
#pragma once

#include "runtime/base/status.h"
#include "runtime/device/cuda/cuda_abi.h"

namespace sluice::rt::cuda {

struct Driver {
#define FUNCTION(name, version, parameters) name##Function name = nullptr;
#include "runtime/device/cuda/cuda_functions.def"
#undef FUNCTION
  int version = 0; // 13000: CUDA 13.0
};

// Functions of later versions are null where the driver has none; all others are there.
constexpr int kLeastDriverVersion = 12000;

// Of a library that is never unloaded, since drivers have threads of their own.
rt::Result<Driver> loadDriver(const char *library = "libcuda.so.1");
// `where` is for messages. Initializes the driver.
rt::Result<Driver> resolveDriver(GetProcAddressFunction find, const std::string &where);

} // namespace sluice::rt::cuda
