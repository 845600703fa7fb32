// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is said of drivers that are missing, too old or without devices.
#include "test/runtime/device/device_kinds.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

using cuda::SymbolStatus;

// A driver that differs from the simulated one.
struct Oddity {
  int version = 13000;
  std::string missing = {};
  cuda::Result start = cuda::kSuccess;
};
Oddity oddity;

cuda::Result oddFunction(const char *symbol, void **function, int version, uint64_t flags,
                         SymbolStatus *status) {
  if (symbol == oddity.missing) {
    *function = nullptr;
    *status = cuda::kSymbolNotFound;
    return cuda::kNotFound;
  }
  if (symbol == std::string("cuDriverGetVersion")) {
    auto get = [](int *version) {
      *version = oddity.version;
      return cuda::kSuccess;
    };
    *function = reinterpret_cast<void *>(static_cast<cuda::cuDriverGetVersionFunction>(get));
    return cuda::kSuccess;
  }
  if (symbol == std::string("cuInit")) {
    auto start = [](unsigned) { return oddity.start; };
    *function = reinterpret_cast<void *>(static_cast<cuda::cuInitFunction>(start));
    return cuda::kSuccess;
  }
  return simulatedFunction(symbol, function, version, flags, status);
}

std::string problem(const Oddity &odd) {
  oddity = odd;
  auto driver = cuda::resolveDriver(oddFunction, "libodd.so");
  return driver.status().toString();
}

TEST(LoadDriver, SaysThatThereIsNone) {
  auto driver = cuda::loadDriver("libthere-is-none.so.1");
  EXPECT_EQ(driver.status().code(), Code::kUnavailable);
  for (const char *part : {"version 12.0 or later is needed", "libthere-is-none.so.1"})
    EXPECT_NE(driver.status().message().find(part), std::string::npos) << driver.status().message();
}

TEST(LoadDriver, KnowsWhatIsNoDriver) {
  EXPECT_EQ(cuda::loadDriver("libm.so.6").status().toString(),
            "UNAVAILABLE: libm.so.6 is no driver for CUDA 12.0: it has no 'cuGetProcAddress_v2'");
}

TEST(LoadDriver, RefusesOldOnes) {
  EXPECT_EQ(problem({11040, ""}),
            "UNAVAILABLE: libodd.so is a driver for CUDA 11.4, but CUDA 12.0 is "
            "needed");
  EXPECT_EQ(problem({12000, ""}), "OK");
}

TEST(LoadDriver, NamesMissingFunctions) {
  EXPECT_EQ(problem({13000, "cuDriverGetVersion"}),
            "UNAVAILABLE: libodd.so is no driver for CUDA: it has no 'cuDriverGetVersion'");
  EXPECT_EQ(problem({13000, "cuMemAlloc"}),
            "UNAVAILABLE: libodd.so (CUDA 13.0) has no 'cuMemAlloc' of version 3.2");
}

TEST(LoadDriver, DoesWithoutFunctionsOfLaterDrivers) {
  EXPECT_EQ(problem({12000, "cuGraphConditionalHandleCreate"}), "OK");
  EXPECT_EQ(cuda::resolveDriver(oddFunction, "x")->cuGraphConditionalHandleCreate, nullptr);
}

TEST(LoadDriver, PassesOnWhyItDoesNotStart) {
  std::string text = problem({13000, "", cuda::kNoDevice});
  EXPECT_NE(text.find("UNAVAILABLE: libodd.so does not start: CUDA_ERROR_NO_DEVICE (100): "),
            std::string::npos)
      << text;
}

TEST(LoadDriver, SaysHowManyDevicesThereAre) {
  auto device = cuda::CudaDevice::open(*simulatedDriver(), 3, {});
  EXPECT_EQ(device.status().toString(),
            "UNAVAILABLE: GPU:3: expected a number below 1, the driver's count of devices");
}

} // namespace
} // namespace sluice::rt
