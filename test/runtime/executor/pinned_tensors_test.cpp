// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pinned tensors: used again when nobody holds them, bounded, and valid beyond the pool.
#include "runtime/executor/pinned_tensors.h"

#include "runtime/device/cuda/cuda_device.h"
#include "test/runtime/device/simulated_driver.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace sluice::rt {
namespace {

constexpr int64_t kMiB = int64_t(1) << 20;

class PinnedTensorsTest : public testing::Test {
protected:
  void SetUp() override {
    auto driver = simulatedDriver();
    ASSERT_TRUE(driver.ok());
    auto opened = cuda::CudaDevice::open(*driver, 0, {});
    ASSERT_TRUE(opened.ok()) << opened.status().toString();
    device = std::move(*opened);
  }
  static Tensor bytes(PinnedTensors &pool, int64_t count) {
    return pool.tryAllocate(DType::kU8, Shape{count});
  }
  std::unique_ptr<cuda::CudaDevice> device;
};

TEST_F(PinnedTensorsTest, areCopiedWithoutStaging) {
  PinnedTensors pool(*device);
  Tensor tensor = pool.tryAllocate(DType::kI32, Shape{100, 1000});
  ASSERT_TRUE(tensor.valid());
  std::iota(tensor.data<int32_t>(), tensor.data<int32_t>() + tensor.elements(), 0);
  auto memory = device->allocate(tensor.bytes(), StreamId::kHostToDevice, "x");
  ASSERT_TRUE(memory.ok());
  ASSERT_TRUE(
      device->copyIn(memory->data(), tensor.raw(), tensor.bytes(), StreamId::kHostToDevice).ok());
  Tensor back = pool.tryAllocate(DType::kI32, Shape{100, 1000});
  Result<Moment> there =
      device->copyOut(back.raw(), memory->data(), back.bytes(), StreamId::kHostToDevice);
  ASSERT_TRUE(there.ok());
  ASSERT_TRUE(device->await(*there, {"the test", 60'000'000'000}).ok());
  EXPECT_EQ(back.data<int32_t>()[99'999], 99'999);
  EXPECT_EQ(device->copiedBytes().pinned, 2 * tensor.bytes());
  EXPECT_EQ(device->copiedBytes().staged, 0u);
}

TEST_F(PinnedTensorsTest, areUsedAgain) {
  PinnedTensors pool(*device);
  Tensor first = bytes(pool, kMiB);
  void *place = first.raw();
  Tensor second = bytes(pool, kMiB), alias = first;
  EXPECT_NE(second.raw(), place);
  first = Tensor();
  EXPECT_NE(bytes(pool, kMiB).raw(), place) << "somebody still holds it";
  alias = Tensor();
  EXPECT_EQ(bytes(pool, kMiB - 5).raw(), place);
  EXPECT_NE(bytes(pool, kMiB / 4).raw(), place) << "it would be much too large";
  EXPECT_EQ(pool.counters().tensors, 5u);
}

TEST_F(PinnedTensorsTest, leavesOutWhatIsSmallOrNotPlain) {
  PinnedTensors pool(*device);
  EXPECT_FALSE(bytes(pool, PinnedTensors::kLeastBytes - 1).valid());
  EXPECT_TRUE(bytes(pool, PinnedTensors::kLeastBytes).valid());
  EXPECT_FALSE(pool.tryAllocate(DType::kString, Shape{100'000}).valid());
  EXPECT_FALSE(pool.tryAllocate(DType::kF32, Shape{-1}).valid());
  EXPECT_FALSE(pool.tryAllocate(DType::kF32, Shape{int64_t(1) << 40, 1 << 22}).valid());
}

TEST_F(PinnedTensorsTest, pinsNoMoreThanItMay) {
  PinnedTensors pool(*device, 4 * kMiB);
  EXPECT_FALSE(bytes(pool, 5 * kMiB).valid());
  Tensor large = bytes(pool, 3 * kMiB);
  ASSERT_TRUE(large.valid());
  EXPECT_FALSE(bytes(pool, 2 * kMiB).valid());
  large = Tensor();
  EXPECT_TRUE(bytes(pool, kMiB).valid()) << "what is free makes room";
  EXPECT_LE(pool.counters().held, uint64_t(4 * kMiB));
}

TEST_F(PinnedTensorsTest, staysWithWhoeverHoldsIt) {
  Tensor kept;
  {
    PinnedTensors pool(*device);
    kept = bytes(pool, kMiB);
  }
  device.reset();
  std::fill_n(kept.data<uint8_t>(), kMiB, uint8_t(3));
  EXPECT_EQ(kept.data<uint8_t>()[kMiB - 1], 3);
}

TEST_F(PinnedTensorsTest, doesWithoutWhereTheDriverPinsNothing) {
  device.reset();
  SimulatorSetting setting("SLUICE_SIM_FAIL", "cuMemHostRegister:1=2");
  SetUp();
  {
    PinnedTensors pool(*device);
    EXPECT_FALSE(bytes(pool, kMiB).valid());
    EXPECT_FALSE(bytes(pool, kMiB).valid()) << "nobody is asked again";
    EXPECT_TRUE(device->health().ok());
  }
  device.reset();
}

} // namespace
} // namespace sluice::rt
