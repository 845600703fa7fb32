// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices, contexts, modules and launches: what the driver refuses, and failures on demand.
#include "test/gpu/sim/handwritten_twin.h"
#include "test/gpu/sim/simulated_driver.h"

namespace sluice::test {
namespace {

TEST(SimulatedDriver, functionsAreFoundByNameAndVersion) {
  void *function;
  int status;
  EXPECT_EQ(sluice_sim_get_proc_address("cuMemAlloc", &function, 3020, 0, &status), 0);
  EXPECT_EQ(status, kSymbolFound);
  EXPECT_NE(function, nullptr);
  EXPECT_EQ(sluice_sim_get_proc_address("cuMemAlloc", &function, 2000, 0, &status), 0);
  EXPECT_EQ(status, kSymbolVersionNotSufficient);
  EXPECT_EQ(function, nullptr);
  EXPECT_EQ(sluice_sim_get_proc_address("cuNothing", &function, 12000, 0, &status), 0);
  EXPECT_EQ(status, kSymbolNotFound);
}

TEST(SimulatedDriver, wantsInitAndAContext) {
  testing::internal::CaptureStderr();
  SimulatedDriver driver;
  Device device;
  EXPECT_EQ(driver.cuDeviceGet(&device, 0), kNotInitialized);
  EXPECT_EQ(driver.cuInit(0), kSuccess);
  DevicePointer pointer;
  EXPECT_EQ(driver.cuMemAlloc(&pointer, 4), kInvalidContext);
  EXPECT_EQ(driver.cuDeviceGet(&device, 1), kInvalidDevice);
  testing::internal::GetCapturedStderr();
}

TEST(SimulatedDriver, aMachineMayHaveNoDeviceOrSeveral) {
  {
    SimulatedDriver driver(1, {{"SLUICE_SIM_DEVICES", "0"}});
    EXPECT_EQ(driver.cuInit(0), kNoDevice);
  }
  SimulatedDriver driver(1, {{"SLUICE_SIM_DEVICES", "3"}});
  EXPECT_EQ(driver.cuInit(0), kSuccess);
  int count;
  EXPECT_EQ(driver.cuDeviceGetCount(&count), kSuccess);
  EXPECT_EQ(count, 3);
}

TEST(SimulatedDriver, errorsHaveNames) {
  SimulatedDriver driver;
  const char *name;
  EXPECT_EQ(driver.cuGetErrorName(kIllegalAddress, &name), kSuccess);
  EXPECT_STREQ(name, "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_EQ(driver.cuGetErrorName(Result(12345), &name), kInvalidValue);
}

TEST(SimulatedDriver, failsOnDemand) {
  SimulatedDriver driver(1, {{"SLUICE_SIM_FAIL", "cuMemAlloc:2=2,cuStreamCreate:1=999"}});
  driver.begin();
  DevicePointer pointer;
  EXPECT_EQ(driver.cuMemAlloc(&pointer, 4), kSuccess);
  EXPECT_EQ(driver.cuMemAlloc(&pointer, 4), kOutOfMemory);
  EXPECT_EQ(driver.cuMemAlloc(&pointer, 4), kSuccess);
  Stream stream;
  EXPECT_EQ(driver.cuStreamCreate(&stream, 0), kUnknown);
}

TEST(SimulatedDriver, refusesSettingsThatItCannotRead) {
  GTEST_FLAG_SET(death_test_style, "threadsafe"); // a copy would lack the driver's thread
  EXPECT_EXIT(SimulatedDriver(1, {{"SLUICE_SIM_FAIL", "cuMemAlloc"}}), testing::ExitedWithCode(2),
              "expected FUNCTION:CALL=RESULT");
  EXPECT_EXIT(SimulatedDriver(1, {{"SLUICE_SIM_POLICY", "slow"}}), testing::ExitedWithCode(2),
              "expected lazy, eager or random");
}

// ---- Modules ------------------------------------------------------------------------------------

TEST(SimulatedDriver, refusesImagesForOtherDevices) {
  SimulatedDriver driver(1, {{"SLUICE_SIM_ARCHITECTURE", "80"}});
  driver.begin();
  testing::internal::CaptureStderr();
  Module module;
  EXPECT_EQ(driver.cuModuleLoadData(&module, handwrittenImage().c_str()), kNoBinaryForGpu);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("is for sm_90, the device is sm_80"),
            std::string::npos);
}

TEST(SimulatedDriver, refusesImagesWithoutTwinAndDamagedOnes) {
  SimulatedDriver driver;
  driver.begin();
  testing::internal::CaptureStderr();
  Module module;
  EXPECT_EQ(driver.cuModuleLoadData(&module, (handwrittenImage() + "\n").c_str()), kInvalidImage);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("no twin of image"), std::string::npos);
  testing::internal::CaptureStderr();
  EXPECT_EQ(driver.cuModuleLoadData(&module, "nonsense"), kInvalidImage);
  testing::internal::GetCapturedStderr();
}

TEST(SimulatedDriver, knowsKernelsByName) {
  SimulatedDriver driver;
  driver.begin();
  Module module;
  ASSERT_EQ(driver.cuModuleLoadData(&module, handwrittenImage().c_str()), kSuccess);
  Function function;
  testing::internal::CaptureStderr();
  EXPECT_EQ(driver.cuModuleGetFunction(&function, module, "other"), kNotFound);
  EXPECT_EQ(driver.cuModuleUnload(module), kSuccess);
  EXPECT_EQ(driver.cuModuleGetFunction(&function, module, "add"), kInvalidHandle);
  testing::internal::GetCapturedStderr();
}

// ---- Launches -----------------------------------------------------------------------------------

TEST(SimulatedDriver, launchesHaveLimits) {
  SimulatedDriver driver;
  driver.begin();
  Function fill = driver.function(handwrittenImage(), "fill");
  Stream stream = driver.stream();
  DevicePointer to = driver.allocate(4);
  float value = 1;
  void *parameters[] = {&to, &value};
  auto launch = [&](unsigned grid, unsigned gridY, unsigned block, unsigned blockZ, unsigned shared,
                    void **values) {
    return driver.cuLaunchKernel(fill, grid, gridY, 1, block, 1, blockZ, shared, stream, values,
                                 nullptr);
  };
  testing::internal::CaptureStderr();
  EXPECT_EQ(launch(0, 1, 1, 1, 0, parameters), kInvalidValue);
  EXPECT_EQ(launch(1, 65536, 1, 1, 0, parameters), kInvalidValue);
  EXPECT_EQ(launch(1, 1, 1025, 1, 0, parameters), kInvalidValue);
  EXPECT_EQ(launch(1, 1, 512, 4, 0, parameters), kInvalidValue);
  EXPECT_EQ(launch(1, 1, 1, 65, 0, parameters), kInvalidValue);
  EXPECT_EQ(launch(1, 1, 1, 1, 50000, parameters), kInvalidValue);
  EXPECT_EQ(launch(1, 1, 1, 1, 0, nullptr), kInvalidValue);
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(driver.cuFuncSetAttribute(fill, kFunctionMaxDynamicSharedBytes, 60000), kSuccess);
  EXPECT_EQ(launch(1, 1, 1, 1, 50000, parameters), kSuccess);
  EXPECT_EQ(driver.cuStreamSynchronize(stream), kSuccess);
}

// Parameters are taken when the kernel is launched, not when it runs.
TEST(SimulatedDriver, parametersMayChangeAfterTheLaunch) {
  SimulatedDriver driver(1, {{"SLUICE_SIM_POLICY", "lazy"}});
  driver.begin();
  Function fill = driver.function(handwrittenImage(), "fill");
  Stream stream = driver.stream();
  DevicePointer to = driver.allocate(4);
  float value = 1;
  void *parameters[] = {&to, &value};
  EXPECT_EQ(driver.cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr),
            kSuccess);
  value = 2;
  EXPECT_EQ(driver.cuStreamSynchronize(stream), kSuccess);
  EXPECT_EQ(driver.download<float>(to, 1), std::vector<float>{1.0f});
}

TEST(SimulatedDriver, refusesTheDefaultStream) {
  SimulatedDriver driver;
  driver.begin();
  DevicePointer to = driver.allocate(4);
  testing::internal::CaptureStderr();
  EXPECT_EQ(driver.cuMemsetD8Async(to, 0, 4, nullptr), kInvalidHandle);
  testing::internal::GetCapturedStderr();
}

} // namespace
} // namespace sluice::test
