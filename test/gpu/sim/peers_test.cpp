// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several simulated devices: who may be told to reach whom, and copies from one to another.
#include "test/gpu/sim/simulated_driver.h"

namespace sluice::test {
namespace {

class SimulatedPeers : public testing::Test {
protected:
  void begin(const std::string &reach = "1") {
    driver = std::make_unique<SimulatedDriver>(
        1, SimulatedDriver::Settings{{"SLUICE_SIM_DEVICES", "2"}, {"SLUICE_SIM_PEERS", reach}});
    ASSERT_EQ(driver->cuInit(0), kSuccess);
    for (int i = 1; i >= 0; --i) { // the first one is current in the end
      ASSERT_EQ(driver->cuDevicePrimaryCtxRetain(&contexts[i], i), kSuccess);
      ASSERT_EQ(driver->cuCtxSetCurrent(contexts[i]), kSuccess);
      memory[i] = driver->upload(std::vector<int32_t>(4, i + 1));
    }
    stream = driver->stream();
  }
  Result copy(DevicePointer to, int toDevice, DevicePointer from, int fromDevice, size_t bytes) {
    return driver->cuMemcpyPeerAsync(to, contexts[toDevice], from, contexts[fromDevice], bytes,
                                     stream);
  }
  std::unique_ptr<SimulatedDriver> driver;
  Context contexts[2] = {};
  DevicePointer memory[2] = {};
  Stream stream = nullptr;
};

TEST_F(SimulatedPeers, copy) {
  for (const char *reach : {"0", "1"}) {
    begin(reach);
    EXPECT_EQ(copy(memory[0], 0, memory[1], 1, 12), kSuccess);
    EXPECT_EQ(driver->cuStreamSynchronize(stream), kSuccess);
    EXPECT_EQ(driver->download<int32_t>(memory[0], 4), (std::vector<int32_t>{2, 2, 2, 1}));
  }
}

TEST_F(SimulatedPeers, areToldOnce) {
  begin();
  int can = 0;
  EXPECT_EQ(driver->cuDeviceCanAccessPeer(&can, 0, 1), kSuccess);
  EXPECT_EQ(can, 1);
  EXPECT_EQ(driver->cuDeviceCanAccessPeer(&can, 0, 0), kSuccess);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(driver->cuDeviceCanAccessPeer(&can, 0, 2), kInvalidDevice);
  EXPECT_EQ(driver->cuCtxEnablePeerAccess(contexts[1], 0), kSuccess);
  EXPECT_EQ(driver->cuCtxEnablePeerAccess(contexts[1], 0), kPeerAccessAlreadyEnabled);
  testing::internal::CaptureStderr();
  EXPECT_EQ(driver->cuCtxEnablePeerAccess(contexts[0], 0), kInvalidContext);
  EXPECT_EQ(driver->cuCtxEnablePeerAccess(contexts[1], 1), kInvalidValue);
  testing::internal::GetCapturedStderr();
}

TEST_F(SimulatedPeers, mayBeApart) {
  begin("0");
  int can = 1;
  EXPECT_EQ(driver->cuDeviceCanAccessPeer(&can, 0, 1), kSuccess);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(driver->cuCtxEnablePeerAccess(contexts[1], 0), kPeerAccessUnsupported);
}

TEST_F(SimulatedPeers, refuseWhatIsOfAnotherDevice) {
  begin();
  testing::internal::CaptureStderr();
  EXPECT_EQ(copy(memory[0], 0, memory[1], 0, 4), kInvalidValue);
  EXPECT_EQ(copy(memory[0], 1, memory[1], 1, 4), kInvalidValue);
  EXPECT_EQ(copy(memory[0], 0, memory[1], 1, 17), kInvalidValue);
  EXPECT_EQ(copy(memory[0], 0, memory[1], 1, 0), kInvalidValue);
  EXPECT_EQ(driver->cuMemcpyPeerAsync(memory[0], nullptr, memory[1], contexts[1], 4, stream),
            kInvalidContext);
  EXPECT_EQ(driver->cuMemcpyDtoDAsync(memory[0], memory[1], 4, stream), kInvalidValue);
  EXPECT_EQ(driver->cuMemcpyDtoD(memory[0], memory[1], 4), kInvalidValue);
  testing::internal::GetCapturedStderr();
}

// Of streams of two devices nothing is ordered by itself.
TEST_F(SimulatedPeers, findWhatNobodyHasOrdered) {
  for (bool waits : {true, false}) {
    begin();
    ASSERT_EQ(driver->cuCtxSetCurrent(contexts[1]), kSuccess);
    Stream other = driver->stream();
    Event event = nullptr;
    ASSERT_EQ(driver->cuEventCreate(&event, kEventDisableTiming), kSuccess);
    ASSERT_EQ(driver->cuMemsetD32Async(memory[1], 9, 4, other), kSuccess);
    ASSERT_EQ(driver->cuEventRecord(event, other), kSuccess);
    ASSERT_EQ(driver->cuCtxSetCurrent(contexts[0]), kSuccess);
    if (waits)
      ASSERT_EQ(driver->cuStreamWaitEvent(stream, event, 0), kSuccess);
    testing::internal::CaptureStderr();
    (void)copy(memory[0], 0, memory[1], 1, 16);
    EXPECT_EQ(driver->cuCtxSynchronize() == kSuccess, waits);
    EXPECT_EQ(testing::internal::GetCapturedStderr().empty(), waits);
  }
}

} // namespace
} // namespace sluice::test
