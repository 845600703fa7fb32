// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between two simulated devices: what makes a value comes first, and its memory is given to
// nobody before it has been read. The simulator finds what nothing orders.
#include "runtime/base/splitmix.h"
#include "test/runtime/device/device_kinds.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

constexpr uint64_t kLong = 60'000'000'000;
constexpr size_t kBytes = 10'000;
constexpr StreamId kIn = StreamId::kHostToDevice, kOut = StreamId::kDeviceToHost,
                   kA = computeStream(0), kB = computeStream(1);

class Peers : public testing::Test {
protected:
  void SetUp() override { open(); }
  void TearDown() override { close(); }
  void open() {
    for (auto &device : devices) {
      auto driver = simulatedDriver();
      ASSERT_TRUE(driver.ok());
      cuda::CudaDevice::Options options;
      options.computeStreams = 2;
      auto opened = cuda::CudaDevice::open(*driver, static_cast<int>(&device - devices), options);
      ASSERT_TRUE(opened.ok()) << opened.status().toString();
      device = std::move(*opened);
    }
  }
  void close() {
    for (auto &device : devices)
      device.reset();
  }
  template <typename T> T good(Result<T> result) {
    EXPECT_TRUE(result.ok()) << result.status().toString();
    return result.ok() ? std::move(*result) : T();
  }
  void good(const Status &status) { EXPECT_TRUE(status.ok()) << status.toString(); }
  DeviceMemory allocate(int device, StreamId stream) {
    return good(devices[device]->allocate(kBytes, stream, "x"));
  }
  // A piece full of that byte, with when it is.
  DeviceMemory filled(int device, uint8_t byte, StreamId stream, Moment &ready) {
    DeviceMemory memory = allocate(device, stream);
    ready = good(devices[device]->fill(memory.data(), byte, 1, kBytes, stream));
    return memory;
  }
  void expectAll(int device, const DeviceMemory &memory, Moment ready, uint8_t byte) {
    std::vector<uint8_t> data(kBytes);
    good(devices[device]->order(kOut, ready));
    Moment there = good(devices[device]->copyOut(data.data(), memory.data(), kBytes, kOut));
    good(devices[device]->await(there, {"the test", kLong}));
    EXPECT_EQ(data, std::vector<uint8_t>(kBytes, byte));
  }

  SimulatorSetting two{"SLUICE_SIM_DEVICES", "2"};
  std::unique_ptr<cuda::CudaDevice> devices[2];
};

TEST_F(Peers, copyWhatIsThere) {
  Moment ready;
  DeviceMemory from = filled(0, 7, kA, ready), to = allocate(1, kIn);
  auto copied = devices[1]->copyFromPeer(to.data(), *devices[0], from.data(), ready, kBytes, kIn);
  ASSERT_TRUE(copied.ok()) << copied.status().toString();
  good(from.noteUse(copied->read));
  expectAll(1, to, copied->done, 7);
  EXPECT_EQ(devices[1]->copiedBytes().fromPeers, kBytes);
  EXPECT_EQ(devices[1]->copiedBytes().staged, kBytes) << "for the host of this test";
  EXPECT_EQ(devices[0]->copiedBytes().staged, 0u);
}

TEST_F(Peers, copyNothing) {
  auto copied = devices[1]->copyFromPeer(nullptr, *devices[0], nullptr, {kA, 0}, 0, kIn);
  ASSERT_TRUE(copied.ok());
  good(devices[1]->await(copied->done, {"the test", kLong}));
}

TEST_F(Peers, refuseWhomTheyDoNotKnow) {
  CpuDevice host(0, {});
  DeviceMemory to = allocate(1, kIn);
  auto copied = devices[1]->copyFromPeer(to.data(), host, nullptr, {kA, 0}, kBytes, kIn);
  EXPECT_EQ(copied.status().code(), Code::kUnimplemented);
  EXPECT_EQ(host.copyFromPeer(nullptr, *devices[0], nullptr, {kA, 0}, kBytes, kA).status().code(),
            Code::kUnimplemented);
}

TEST_F(Peers, refuseMomentsThatThereAreNot) {
  DeviceMemory to = allocate(1, kIn);
  auto copied = devices[1]->copyFromPeer(to.data(), *devices[0], nullptr, {kA, 9}, kBytes, kIn);
  EXPECT_EQ(copied.status().code(), Code::kInvalidArgument);
}

TEST_F(Peers, copyWhereTheyCannotReachEachOther) {
  close();
  SimulatorSetting apart("SLUICE_SIM_PEERS", "0");
  open();
  Moment ready;
  DeviceMemory from = filled(1, 5, kB, ready), to = allocate(0, kIn);
  auto copied = devices[0]->copyFromPeer(to.data(), *devices[1], from.data(), ready, kBytes, kIn);
  ASSERT_TRUE(copied.ok()) << copied.status().toString();
  good(from.noteUse(copied->read));
  expectAll(0, to, copied->done, 5);
  from.reset();
  to.reset();
  close();
}

// Memory goes back as soon as its last use is enqueued, and others overwrite it.
TEST_F(Peers, keepTheirOrder) {
  for (const char *policy : {"lazy", "eager", "random"}) {
    close();
    SimulatorSetting setting("SLUICE_SIM_POLICY", policy);
    open();
    SplitMix64 random(1);
    for (int round = 0; round < 60; ++round) {
      int source = static_cast<int>(random.below(2));
      auto byte = static_cast<uint8_t>(round);
      StreamId stream = random.below(2) ? kA : kB;
      Moment ready;
      DeviceMemory from = filled(source, byte, stream, ready), to = allocate(1 - source, kIn);
      auto copied = devices[1 - source]->copyFromPeer(to.data(), *devices[source], from.data(),
                                                      ready, kBytes, kIn);
      ASSERT_TRUE(copied.ok()) << copied.status().toString();
      good(from.noteUse(copied->read));
      from.reset();
      Moment other;
      (void)filled(source, 0xAA, random.below(2) ? kA : kB, other);
      expectAll(1 - source, to, copied->done, byte);
    }
    for (auto &device : devices)
      good(device->health());
    close();
  }
}

TEST_F(Peers, answerWithErrorsOfTheDriver) {
  for (const char *failure :
       {"cuDeviceCanAccessPeer:1=1", "cuCtxEnablePeerAccess:1=217", "cuMemcpyPeerAsync:1=1",
        "cuStreamWaitEvent:1=1", "cuStreamWaitEvent:2=1", "cuEventRecord:1=2"}) {
    close();
    SimulatorSetting setting("SLUICE_SIM_FAIL", failure);
    open();
    Moment ready;
    DeviceMemory from = filled(0, 7, kA, ready), to = allocate(1, kIn);
    auto copied = devices[1]->copyFromPeer(to.data(), *devices[0], from.data(), ready, kBytes, kIn);
    EXPECT_FALSE(copied.ok()) << failure;
    from.reset();
    to.reset();
    close();
  }
}

} // namespace
} // namespace sluice::rt
