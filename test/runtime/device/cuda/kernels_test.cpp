// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images and kernels on the simulated driver.
#include "test/gpu/sim/handwritten_twin.h"
#include "test/runtime/device/device_kinds.h"

#include <gtest/gtest.h>

#include <numeric>

namespace sluice::rt {
namespace {

constexpr uint64_t kLong = 60'000'000'000;
constexpr StreamId kA = computeStream(0), kB = computeStream(1);

KernelImage image(std::string_view target, std::string_view text) {
  return {target, std::as_bytes(std::span(text))};
}

struct CudaKernels : testing::Test {
  void SetUp() override {
    auto opened = openGpu(simulatedDriver(), 2, 0);
    ASSERT_TRUE(opened.ok()) << opened.status().toString();
    device = std::move(*opened);
  }
  template <typename T> T good(Result<T> result) {
    EXPECT_TRUE(result.ok()) << result.status().toString();
    return result.ok() ? std::move(*result) : T();
  }
  KernelModule load() {
    KernelImage images[] = {image("compute_90", test::handwrittenImage())};
    return good(device->loadModule("handwritten", images));
  }
  Moment add(DeviceKernel kernel, void *to, void *from, uint32_t count, StreamId stream) {
    void *parameters[] = {&to, &from, &count};
    return good(device->launch({kernel, {(count + 63) / 64}, {64}, 0, parameters}, stream));
  }
  std::unique_ptr<Device> device;
};

TEST_F(CudaKernels, RunInTheOrderOfTheirStreams) {
  constexpr uint32_t kCount = 1000;
  DeviceKernel kernel = good(device->findKernel(load(), "add", 0));
  std::vector<float> ones(kCount, 1), out(kCount);
  DeviceMemory a = good(device->allocate(kCount * 4, kA, "a")),
               b = good(device->allocate(kCount * 4, kA, "b"));
  good(device->copyIn(a.data(), ones.data(), kCount * 4, kA));
  good(device->copyIn(b.data(), ones.data(), kCount * 4, kA));
  for (int i = 0; i < 5; ++i) {
    add(kernel, a.data(), b.data(), kCount, i % 2 ? kB : kA); // a doubles with b
    add(kernel, b.data(), a.data(), kCount, i % 2 ? kB : kA);
    EXPECT_TRUE(device->order(i % 2 ? kA : kB, device->lastMoment(i % 2 ? kB : kA)).ok());
  }
  Moment copied = good(device->copyOut(out.data(), a.data(), kCount * 4, kB));
  EXPECT_TRUE(device->await(copied, {"the sums", kLong}).ok());
  EXPECT_EQ(out, std::vector<float>(kCount, 89)); // the eleventh number of Fibonacci
}

TEST_F(CudaKernels, EmptyGridsAreNothingToDo) {
  DeviceKernel kernel = good(device->findKernel(load(), "add", 0));
  Moment before = device->lastMoment(kA);
  add(kernel, nullptr, nullptr, 0, kA);
  EXPECT_EQ(device->lastMoment(kA).ticket, before.ticket);
}

TEST_F(CudaKernels, NamesWhatTheModuleLacks) {
  EXPECT_EQ(device->findKernel(load(), "subtract", 0).status().toString(),
            "NOT_FOUND: GPU:0: the module has no kernel 'subtract'");
}

TEST_F(CudaKernels, TakesTheImageThatFits) {
  KernelImage images[] = {image("sm_80", "x"), image("sm_100", "x"), image("sm_91", "x"),
                          image("compute_100", "x"), image("compute_80", test::handwrittenImage())};
  EXPECT_TRUE(device->loadModule("handwritten", images).ok());
  EXPECT_EQ(device->loadModule("handwritten", std::span(images, 4)).status().code(),
            Code::kUnavailable);
}

TEST_F(CudaKernels, TriesTheNextImageIfTheDriverRefusesOne) {
  KernelImage images[] = {image("sm_90", "no cubin at all"),
                          image("compute_90", test::handwrittenImage())};
  EXPECT_TRUE(device->loadModule("handwritten", images).ok());
  Status refused = device->loadModule("handwritten", std::span(images, 1)).status();
  EXPECT_EQ(refused.code(), Code::kUnavailable);
  for (const char *part :
       {"expected code of 'handwritten' for sm_90 (", "got it for sm_90; sm_90: CUDA_ERROR"})
    EXPECT_NE(refused.message().find(part), std::string::npos) << refused.message();
}

// A kernel that writes where nothing is.
TEST_F(CudaKernels, RemembersWhatBrokeTheDevice) {
  DeviceKernel kernel = good(device->findKernel(load(), "add", 0));
  DeviceMemory memory = good(device->allocate(4, kA, "x"));
  Moment before = good(device->fill(memory.data(), 0, 4, 1, kA));
  void *to = reinterpret_cast<void *>(uintptr_t(4096)), *from = memory.data();
  uint32_t count = 1;
  void *parameters[] = {&to, &from, &count};
  // It comes to light when it runs.
  Status first = device->launch({kernel, {1}, {64}, 0, parameters}, kA).status();
  if (first.ok())
    first = device->await(device->lastMoment(kA), {"the kernel", kLong});
  EXPECT_EQ(first.code(), Code::kInternal);
  EXPECT_NE(first.message().find("the device cannot be used any more"), std::string::npos);
  EXPECT_EQ(device->health().message(), first.message());
  EXPECT_EQ(device->allocate(1, kA, "y").status().message(), first.message());
  EXPECT_EQ(device->fill(memory.data(), 0, 1, 1, kA).status().message(), first.message());
  CompletionInbox inbox;
  device->tell(before, nullptr, inbox);
  Completion completion;
  ASSERT_TRUE(inbox.awaitNext(completion, kLong));
  EXPECT_EQ(completion.status.message(), first.message());
  memory.reset();
  device.reset();
  sluice_sim_restart();
}

} // namespace
} // namespace sluice::rt
