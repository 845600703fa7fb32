// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams, events, copies and kernels do what they should under every policy, and a missing event
// is found whichever way the streams run.
#include "test/gpu/sim/handwritten_twin.h"
#include "test/gpu/sim/simulated_driver.h"

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

namespace sluice::test {
namespace {

constexpr unsigned kCount = 1000;

Result launchAdd(SimulatedDriver &driver, Function add, Stream stream, DevicePointer to,
                 DevicePointer from, unsigned count = kCount) {
  void *parameters[] = {&to, &from, &count};
  return driver.cuLaunchKernel(add, (count + 127) / 128, 1, 1, 128, 1, 1, 0, stream, parameters,
                               nullptr);
}

// Two streams: the second adds what the first has made. `between` orders them, or not.
template <typename Between>
Result addOnTwoStreams(SimulatedDriver &driver, std::vector<float> &result, Between between) {
  driver.begin();
  Function add = driver.function(handwrittenImage(), "add");
  Stream first = driver.stream(), second = driver.stream();
  std::vector<float> ones(kCount, 1.0f);
  DevicePointer a = driver.upload(ones), b = driver.upload(ones);
  EXPECT_EQ(launchAdd(driver, add, first, a, b), kSuccess); // a = 2
  between(first, second);
  launchAdd(driver, add, second, b, a); // b = 3
  Result outcome = driver.cuCtxSynchronize();
  if (outcome == kSuccess)
    result = driver.download<float>(b, kCount);
  return outcome;
}

TEST(SimulatedStreams, anEventOrdersTwoStreams) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    SimulatedDriver driver(seed);
    std::vector<float> result;
    Event event;
    EXPECT_EQ(addOnTwoStreams(driver, result,
                              [&](Stream first, Stream second) {
                                EXPECT_EQ(driver.cuEventCreate(&event, 0), kSuccess);
                                EXPECT_EQ(driver.cuEventRecord(event, first), kSuccess);
                                EXPECT_EQ(driver.cuStreamWaitEvent(second, event, 0), kSuccess);
                              }),
              kSuccess);
    EXPECT_EQ(result, std::vector<float>(kCount, 3.0f)) << "seed " << seed;
  }
}

TEST(SimulatedStreams, aWaitOfTheHostOrdersTwoStreams) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SimulatedDriver driver(seed);
    std::vector<float> result;
    EXPECT_EQ(addOnTwoStreams(driver, result,
                              [&](Stream first, Stream) {
                                EXPECT_EQ(driver.cuStreamSynchronize(first), kSuccess);
                              }),
              kSuccess);
    EXPECT_EQ(result, std::vector<float>(kCount, 3.0f)) << "seed " << seed;
  }
}

TEST(SimulatedStreams, aMissingEventIsFound) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SimulatedDriver driver(seed);
    std::vector<float> result;
    testing::internal::CaptureStderr();
    EXPECT_EQ(addOnTwoStreams(driver, result, [](Stream, Stream) {}), kLaunchFailed)
        << "seed " << seed;
    EXPECT_NE(testing::internal::GetCapturedStderr().find("race: kernel 'add' on stream"),
              std::string::npos);
    // The error stays.
    DevicePointer pointer;
    EXPECT_EQ(driver.cuMemAlloc(&pointer, 4), kLaunchFailed);
  }
}

// Enough work before the event that some of it is still to come when the other stream waits.
TEST(SimulatedStreams, aWaitIsForAllThatCameBeforeTheEvent) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SimulatedDriver driver(seed, {{"SLUICE_SIM_POLICY", "random"}});
    driver.begin();
    Function add = driver.function(handwrittenImage(), "add");
    Stream first = driver.stream(), second = driver.stream();
    DevicePointer a = driver.upload(std::vector<float>(1, 1.0f)),
                  b = driver.upload(std::vector<float>(1, 1.0f));
    for (int i = 0; i < 20; ++i)
      EXPECT_EQ(launchAdd(driver, add, first, a, b, 1), kSuccess);
    Event event;
    EXPECT_EQ(driver.cuEventCreate(&event, 0), kSuccess);
    EXPECT_EQ(driver.cuEventRecord(event, first), kSuccess);
    EXPECT_EQ(driver.cuStreamWaitEvent(second, event, 0), kSuccess);
    EXPECT_EQ(launchAdd(driver, add, second, b, a, 1), kSuccess);
    EXPECT_EQ(driver.cuCtxSynchronize(), kSuccess) << seed;
    EXPECT_EQ(driver.download<float>(b, 1), std::vector<float>{22.0f}) << seed;
  }
}

// Reading is not ordered by itself either: a copy to the host, and what overwrites its source.
TEST(SimulatedStreams, anOverwrittenSourceIsFound) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SimulatedDriver driver(seed);
    driver.begin();
    Stream first = driver.stream(), second = driver.stream();
    void *pinned = nullptr;
    EXPECT_EQ(driver.cuMemHostAlloc(&pinned, 4, 0), kSuccess);
    DevicePointer a = driver.upload(std::vector<int>{1});
    testing::internal::CaptureStderr();
    driver.cuMemcpyDtoHAsync(pinned, a, 4, first);
    driver.cuMemsetD8Async(a, 0, 4, second);
    EXPECT_EQ(driver.cuCtxSynchronize(), kLaunchFailed) << seed;
    testing::internal::GetCapturedStderr();
  }
}

// An event that is recorded before the work that it should be for.
TEST(SimulatedStreams, anEventThatIsRecordedTooEarlyIsFound) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SimulatedDriver driver(seed);
    driver.begin();
    Function add = driver.function(handwrittenImage(), "add");
    Stream first = driver.stream(), second = driver.stream();
    DevicePointer a = driver.upload(std::vector<float>(kCount, 1.0f)),
                  b = driver.upload(std::vector<float>(kCount, 1.0f));
    Event event;
    EXPECT_EQ(driver.cuEventCreate(&event, 0), kSuccess);
    EXPECT_EQ(driver.cuEventRecord(event, first), kSuccess);
    testing::internal::CaptureStderr();
    launchAdd(driver, add, first, a, b);
    driver.cuStreamWaitEvent(second, event, 0);
    launchAdd(driver, add, second, b, a);
    EXPECT_EQ(driver.cuCtxSynchronize(), kLaunchFailed) << "seed " << seed;
    testing::internal::GetCapturedStderr();
  }
}

TEST(SimulatedStreams, copiesFromPinnedMemoryReadLate) {
  SimulatedDriver driver(1, {{"SLUICE_SIM_POLICY", "lazy"}});
  driver.begin();
  Stream stream = driver.stream();
  void *pinned = nullptr;
  EXPECT_EQ(driver.cuMemHostAlloc(&pinned, 64, 0), kSuccess);
  memset(pinned, 1, 64);
  DevicePointer pointer = driver.allocate(64);
  EXPECT_EQ(driver.cuMemcpyHtoDAsync(pointer, pinned, 64, stream), kSuccess);
  memset(pinned, 2, 64); // too early
  testing::internal::CaptureStderr();
  EXPECT_EQ(driver.cuStreamSynchronize(stream), kLaunchFailed);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("the host wrote into the 64 bytes"),
            std::string::npos);
}

TEST(SimulatedStreams, copiesFromOtherMemoryAreStaged) {
  SimulatedDriver driver(1, {{"SLUICE_SIM_POLICY", "lazy"}});
  driver.begin();
  Stream stream = driver.stream();
  std::vector<char> bytes(64, 1);
  DevicePointer pointer = driver.allocate(64);
  EXPECT_EQ(driver.cuMemcpyHtoDAsync(pointer, bytes.data(), 64, stream), kSuccess);
  bytes.assign(64, 2);
  EXPECT_EQ(driver.cuStreamSynchronize(stream), kSuccess);
  EXPECT_EQ(driver.download<char>(pointer, 64), std::vector<char>(64, 1));
}

TEST(SimulatedStreams, whatIsCopiedToTheHostIsNotThereBeforeTheHostHasWaited) {
  SimulatedDriver driver(1, {{"SLUICE_SIM_POLICY", "lazy"}});
  driver.begin();
  Stream stream = driver.stream();
  void *pinned = nullptr;
  EXPECT_EQ(driver.cuMemHostAlloc(&pinned, 4, 0), kSuccess);
  *static_cast<int *>(pinned) = 7; // what was there before is no result
  DevicePointer pointer = driver.upload(std::vector<int>{7});
  EXPECT_EQ(driver.cuMemcpyDtoHAsync(pinned, pointer, 4, stream), kSuccess);
  EXPECT_NE(*static_cast<int *>(pinned), 7);
  EXPECT_EQ(driver.cuStreamSynchronize(stream), kSuccess);
  EXPECT_EQ(*static_cast<int *>(pinned), 7);
}

// A host that waits for the function, and calls nothing meanwhile.
TEST(SimulatedStreams, hostFunctionsComeWithoutFurtherCalls) {
  for (const char *policy : {"lazy", "eager", "random"}) {
    SimulatedDriver driver(1, {{"SLUICE_SIM_POLICY", policy}});
    driver.begin();
    Function add = driver.function(handwrittenImage(), "add");
    Stream stream = driver.stream();
    DevicePointer a = driver.upload(std::vector<float>(kCount, 1.0f));
    DevicePointer b = driver.upload(std::vector<float>(kCount, 1.0f));
    struct Inbox {
      std::mutex mutex;
      std::condition_variable changed;
      std::thread::id thread;
    } inbox;
    std::unique_lock<std::mutex> lock(inbox.mutex); // which the function needs
    EXPECT_EQ(launchAdd(driver, add, stream, a, b), kSuccess);
    EXPECT_EQ(driver.cuLaunchHostFunc(
                  stream,
                  [](void *data) {
                    auto &inbox = *static_cast<Inbox *>(data);
                    std::lock_guard<std::mutex> guard(inbox.mutex);
                    inbox.thread = std::this_thread::get_id();
                    inbox.changed.notify_all();
                  },
                  &inbox),
              kSuccess);
    inbox.changed.wait(lock, [&] { return inbox.thread != std::thread::id(); });
    EXPECT_NE(inbox.thread, std::this_thread::get_id());
    // The host knows by it that the kernel is over.
    EXPECT_EQ(driver.download<float>(a, 1), std::vector<float>{2.0f});
  }
}

TEST(SimulatedStreams, queriesAreAnsweredOneDay) {
  SimulatedDriver driver(1, {{"SLUICE_SIM_POLICY", "lazy"}});
  driver.begin();
  Function add = driver.function(handwrittenImage(), "add");
  Stream stream = driver.stream();
  DevicePointer a = driver.allocate(4 * kCount), b = driver.allocate(4 * kCount);
  EXPECT_EQ(launchAdd(driver, add, stream, a, b), kSuccess);
  Event event;
  EXPECT_EQ(driver.cuEventCreate(&event, 0), kSuccess);
  EXPECT_EQ(driver.cuEventRecord(event, stream), kSuccess);
  int rounds = 0;
  while (driver.cuEventQuery(event) == kNotReady)
    ++rounds;
  EXPECT_EQ(driver.cuStreamQuery(stream), kSuccess);
  EXPECT_GT(rounds, 0);
}

} // namespace
} // namespace sluice::test
