// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulated driver as tests use it: its functions by their names, a context, a seed.
#pragma once

#include "runtime/device/cuda/cuda_abi.h"
#include "runtime/sim/proc_address.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

extern "C" void sluice_sim_restart();

namespace sluice::test {

using namespace rt::cuda;

struct DriverFunctions {
  DriverFunctions() {
    void *found = nullptr;
#define FUNCTION(name, version, parameters)                                                        \
  EXPECT_EQ(sluice_sim_get_proc_address(#name, &found, version, 0, nullptr), 0) << #name;          \
  name = reinterpret_cast<name##Function>(found);
#include "runtime/device/cuda/cuda_functions.def"
#undef FUNCTION
  }
#define FUNCTION(name, version, parameters) name##Function name;
#include "runtime/device/cuda/cuda_functions.def"
#undef FUNCTION
};

// A driver that begins anew, in an environment that ends with the object.
class SimulatedDriver : public DriverFunctions {
public:
  using Settings = std::map<std::string, std::string>;

  explicit SimulatedDriver(uint64_t seed = 1, Settings settings = {})
      : settings_(std::move(settings)) {
    settings_["SLUICE_SIM_SEED"] = std::to_string(seed);
    for (const auto &[name, value] : settings_)
      setenv(name.c_str(), value.c_str(), 1);
    sluice_sim_restart();
  }
  ~SimulatedDriver() {
    for (const auto &[name, value] : settings_)
      unsetenv(name.c_str());
  }

  // What most tests begin with.
  void begin() {
    Device device;
    Context context;
    ASSERT_EQ(cuInit(0), kSuccess);
    ASSERT_EQ(cuDeviceGet(&device, 0), kSuccess);
    ASSERT_EQ(cuDevicePrimaryCtxRetain(&context, device), kSuccess);
    ASSERT_EQ(cuCtxSetCurrent(context), kSuccess);
  }
  Stream stream() {
    Stream stream = nullptr;
    EXPECT_EQ(cuStreamCreate(&stream, kStreamNonBlocking), kSuccess);
    return stream;
  }
  DevicePointer allocate(size_t bytes) {
    DevicePointer pointer = 0;
    EXPECT_EQ(cuMemAlloc(&pointer, bytes), kSuccess);
    return pointer;
  }
  template <typename T> DevicePointer upload(const std::vector<T> &values) {
    DevicePointer pointer = allocate(values.size() * sizeof(T));
    EXPECT_EQ(cuMemcpyHtoD(pointer, values.data(), values.size() * sizeof(T)), kSuccess);
    return pointer;
  }
  template <typename T> std::vector<T> download(DevicePointer pointer, size_t count) {
    std::vector<T> values(count);
    EXPECT_EQ(cuMemcpyDtoH(values.data(), pointer, count * sizeof(T)), kSuccess);
    return values;
  }
  Function function(const std::string &image, const char *name) {
    Module module = nullptr;
    Function function = nullptr;
    EXPECT_EQ(cuModuleLoadData(&module, image.c_str()), kSuccess);
    EXPECT_EQ(cuModuleGetFunction(&function, module, name), kSuccess);
    return function;
  }

private:
  Settings settings_;
};

// Seeds that tests of findings try: what is wrong must be found with each.
constexpr uint64_t kSeeds = 16;

} // namespace sluice::test
