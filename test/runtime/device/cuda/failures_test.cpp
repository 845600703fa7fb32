// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every call of the driver fails once, in several ways: what is left is a Status, and nothing
// hangs.
#include "test/gpu/sim/handwritten_twin.h"
#include "test/runtime/device/device_kinds.h"

#include <gtest/gtest.h>

#include <set>

namespace sluice::rt {
namespace {

constexpr StreamId kA = computeStream(0), kB = computeStream(1);

// Uses all that a device has, and goes on after errors.
class Script {
public:
  void run() {
    auto opened = openGpu(simulatedDriver(), 2, 8 << 20);
    note(opened.status());
    if (!opened.ok())
      return;
    device_ = std::move(*opened);
    for (int round = 0; round < 2; ++round) {
      copies();
      kernels();
    }
    crowd();
    device_.reset();
  }
  bool failed = false;
  std::set<Code> codes;
  std::string first;

private:
  void note(const Status &status) {
    if (!status.ok() && first.empty())
      first = status.toString();
    failed = failed || !status.ok();
    codes.insert(status.code());
  }
  template <typename T> T take(Result<T> result) {
    note(result.status());
    return result.ok() ? std::move(*result) : T();
  }

  void copies() {
    std::vector<char> data(100'000, 7), out(100'000);
    PinnedMemory pinned = take(device_->allocatePinned(1000));
    DeviceMemory a = take(device_->allocate(data.size(), kA, "a")),
                 b = take(device_->allocate(data.size(), kA, "b"));
    if (!a.data() || !b.data() || !pinned.data())
      return;
    take(device_->copyIn(a.data(), data.data(), data.size(), kA));
    take(device_->copyIn(b.data(), pinned.data(), 1000, kA));
    for (size_t bytes : {1, 2, 4})
      take(device_->fill(b.data(), 1, bytes, 100, kA));
    take(device_->copyWithin(b.data(), a.data(), data.size(), kA));
    Status ordered = device_->order(kB, take(device_->mark(kA)));
    note(ordered);
    if (failed)
      return; // what follows relies on that
    note(b.noteUse(take(device_->copyOut(pinned.data(), b.data(), 1000, kB))));
    Moment end = take(device_->copyOut(out.data(), b.data(), out.size(), kB));
    note(b.noteUse(end));
    CompletionInbox inbox;
    device_->tell(end, nullptr, inbox);
    Completion completion;
    EXPECT_TRUE(inbox.awaitNext(completion, 60'000'000'000));
    note(completion.status);
    if (completion.status.ok() && !failed)
      EXPECT_EQ(out, data);
    note(device_->await(device_->lastMoment(kA), {"the end", 60'000'000'000}));
    note(device_->await(device_->lastMoment(kB), {"the end", 60'000'000'000}));
    take(device_->memoryInfo());
  }
  void kernels() {
    std::string_view text = test::handwrittenImage();
    KernelImage images[] = {{"compute_90", std::as_bytes(std::span(text))}};
    KernelModule module = take(device_->loadModule("handwritten", images));
    if (!module.handle)
      return;
    DeviceKernel kernel = take(device_->findKernel(module, "add", 64 << 10));
    DeviceMemory memory = take(device_->allocate(400, kA, "c"));
    if (!kernel.handle || !memory.data())
      return;
    void *to = memory.data();
    uint32_t count = 100;
    void *parameters[] = {&to, &to, &count};
    take(device_->fill(to, 0, 4, count, kA));
    take(device_->launch({kernel, {1}, {128}, 0, parameters}, kA));
    note(device_->await(device_->lastMoment(kA), {"the kernel", 60'000'000'000}));
  }
  // More than there is room for, so that chunks go back.
  void crowd() {
    for (size_t bytes : {1 << 20, 4 << 20, 7 << 20}) {
      StreamId stream = bytes > (5 << 20) ? kA : kB;
      DeviceMemory memory = take(device_->allocate(bytes, stream, "d"));
      if (memory.data())
        take(device_->fill(memory.data(), 0, 1, 100, stream));
    }
  }

  std::unique_ptr<Device> device_;
};

// Whose failures nobody can do anything about: things are given back, or an error gets its text.
const std::set<std::string> kSilent = {"cuMemFree",       "cuMemFreeHost",
                                       "cuStreamDestroy", "cuEventDestroy",
                                       "cuModuleUnload",  "cuDevicePrimaryCtxRelease",
                                       "cuGetErrorName",  "cuGetErrorString"};
const std::set<std::string> kUsed = {"cuInit",

                                     "cuDeviceGetCount",
                                     "cuDeviceGet",
                                     "cuDeviceGetName",
                                     "cuDeviceGetAttribute",
                                     "cuDevicePrimaryCtxRetain",
                                     "cuCtxSetCurrent",
                                     "cuMemGetInfo",
                                     "cuMemAlloc",
                                     "cuMemHostAlloc",
                                     "cuMemcpyHtoDAsync",
                                     "cuMemcpyDtoHAsync",
                                     "cuMemcpyDtoDAsync",
                                     "cuMemsetD8Async",
                                     "cuMemsetD16Async",
                                     "cuMemsetD32Async",
                                     "cuStreamCreate",
                                     "cuStreamWaitEvent",
                                     "cuEventCreate",
                                     "cuEventRecord",
                                     "cuEventQuery",
                                     "cuModuleLoadDataEx",
                                     "cuModuleGetFunction",
                                     "cuFuncSetAttribute",
                                     "cuLaunchKernel"};

Script runWith(const std::string &failures) {
  SimulatorSetting memory("SLUICE_SIM_MEMORY", "67108864"), setting("SLUICE_SIM_FAIL", failures);
  Script script;
  script.run();
  return script;
}

TEST(CudaFailures, NothingFailsByItself) {
  Script script = runWith("");
  EXPECT_FALSE(script.failed) << script.first;
}

class CudaFailures : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Results, CudaFailures,
                         testing::Values(cuda::kInvalidValue, cuda::kOutOfMemory,
                                         cuda::kLaunchFailed, cuda::kUnknown));

TEST_P(CudaFailures, BecomeAStatus) {
  std::vector<std::string> names;
#define FUNCTION(name, version, parameters) names.push_back(#name);
#include "runtime/device/cuda/cuda_functions.def"
#undef FUNCTION
  for (const std::string &name : names)
    for (int call : {1, 3}) {
      if (!kUsed.count(name) && !kSilent.count(name))
        continue;
      std::string failure = name + ":" + std::to_string(call) + "=" + std::to_string(GetParam());
      SCOPED_TRACE(failure);
      Script script = runWith(failure);
      // A smaller piece of memory may do where a large one was refused.
      if (call == 1 && kUsed.count(name) && GetParam() != cuda::kOutOfMemory)
        EXPECT_TRUE(script.failed);
      if (kSilent.count(name) && GetParam() != cuda::kLaunchFailed)
        EXPECT_FALSE(script.failed) << script.first;
    }
}

} // namespace
} // namespace sluice::rt
