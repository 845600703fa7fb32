// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the executor relies on, for every implementation of Device.
#include "runtime/workers/completion_inbox.h"
#include "test/runtime/device/device_kinds.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <thread>

namespace sluice::rt {
namespace {

constexpr uint64_t kLong = 60'000'000'000;
constexpr size_t kMiB = size_t(1) << 20;
constexpr StreamId kIn = StreamId::kHostToDevice, kOut = StreamId::kDeviceToHost,
                   kA = computeStream(0), kB = computeStream(1);

std::vector<uint8_t> pattern(size_t bytes, unsigned first) {
  std::vector<uint8_t> data(bytes);
  for (size_t i = 0; i < bytes; ++i)
    data[i] = static_cast<uint8_t>(first + i * 7 + (i >> 8));
  return data;
}

class EveryDevice : public testing::TestWithParam<DeviceKind> {
protected:
  void SetUp() override { open(0); }
  void open(uint64_t memoryLimit) {
    device.reset();
    auto opened = GetParam().open(2, memoryLimit);
    if (!opened.ok() && opened.status().code() == Code::kUnavailable && GetParam().mayBeMissing)
      GTEST_SKIP() << opened.status().message();
    ASSERT_TRUE(opened.ok()) << opened.status().toString();
    device = std::move(*opened);
  }
  template <typename T> T good(Result<T> result) {
    EXPECT_TRUE(result.ok()) << result.status().toString();
    return result.ok() ? std::move(*result) : T();
  }
  void good(const Status &status) { EXPECT_TRUE(status.ok()) << status.toString(); }
  DeviceMemory allocate(size_t bytes, StreamId stream, std::string_view owner = "x") {
    return good(device->allocate(bytes, stream, owner));
  }
  void await(Moment moment) { good(device->await(moment, {"the test", kLong})); }
  std::vector<uint8_t> read(const DeviceMemory &memory, StreamId stream) {
    std::vector<uint8_t> data(memory.bytes());
    await(good(device->copyOut(data.data(), memory.data(), data.size(), stream)));
    return data;
  }

  std::unique_ptr<Device> device;
};
INSTANTIATE_TEST_SUITE_P(Devices, EveryDevice, testing::ValuesIn(kDeviceKinds),
                         [](const auto &info) { return std::string(info.param.name); });

TEST_P(EveryDevice, HasANameAndIsWell) {
  EXPECT_NE(device->name().find(':'), std::string::npos);
  EXPECT_EQ(device->computeStreams(), 2u);
  good(device->health());
}

TEST_P(EveryDevice, TellsOfItsMemory) {
  DeviceMemory memory = allocate(3 * kMiB, kA);
  DeviceMemoryInfo info = good(device->memoryInfo());
  EXPECT_LE(info.free, info.total);
  EXPECT_EQ(info.pool.inUse, 3 * kMiB);
  EXPECT_EQ(info.pool.peak, 3 * kMiB);
  EXPECT_GE(info.pool.held, 3 * kMiB);
}

TEST_P(EveryDevice, AlignsMemory) {
  std::vector<DeviceMemory> all;
  for (size_t bytes : {1, 255, 256, 257, 5000, 1, 3 << 20})
    all.push_back(allocate(bytes, kA));
  for (auto &memory : all)
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory.data()) % 256, 0u);
  EXPECT_EQ(allocate(0, kA).data(), nullptr);
}

// The sizes are those around which copies take other ways.
TEST_P(EveryDevice, CopiesInAndOut) {
  for (size_t bytes : {size_t(0), size_t(1), size_t(3), size_t(4096), size_t(16 << 10),
                       size_t((16 << 10) + 1), 4 * kMiB, 4 * kMiB + 3, 21 * kMiB + 5}) {
    SCOPED_TRACE(bytes);
    DeviceMemory memory = allocate(bytes, kIn);
    auto data = pattern(bytes, 1);
    Moment there = good(device->copyIn(memory.data(), data.data(), bytes, kIn));
    good(device->order(kOut, there));
    EXPECT_EQ(read(memory, kOut), data);
  }
}

TEST_P(EveryDevice, CopiesPinnedMemory) {
  constexpr size_t kBytes = 5 * kMiB;
  PinnedMemory pinned = good(device->allocatePinned(kBytes));
  auto data = pattern(kBytes, 3);
  std::memcpy(pinned.data(), data.data(), kBytes);
  DeviceMemory memory = allocate(kBytes, kA);
  await(good(device->copyIn(memory.data(), pinned.data(), kBytes, kA)));
  std::memset(pinned.data(), 0, kBytes);
  await(good(device->copyOut(pinned.data(), memory.data(), kBytes, kA)));
  EXPECT_EQ(std::memcmp(pinned.data(), data.data(), kBytes), 0);
  EXPECT_EQ(good(device->allocatePinned(0)).data(), nullptr);
}

TEST_P(EveryDevice, CopiesPagesThatArePinned) {
  constexpr size_t kBytes = 4 * 4096;
  alignas(4096) static uint8_t pages[kBytes];
  DeviceMemory memory = allocate(kBytes, kA);
  for (int i = 0; i < 2; ++i) { // they may be pinned again
    std::vector<uint8_t> data = pattern(kBytes, static_cast<unsigned>(i));
    std::memcpy(pages, data.data(), kBytes);
    good(device->pin(pages, kBytes));
    await(good(device->copyIn(memory.data(), pages, kBytes, kA)));
    std::memset(pages, 0, kBytes);
    await(good(device->copyOut(pages + 4096, memory.data(), kBytes - 4096, kA)));
    EXPECT_EQ(std::memcmp(pages + 4096, data.data(), kBytes - 4096), 0);
    device->unpin(pages);
  }
  EXPECT_EQ(device->copiedBytes().staged, 0u);
}

TEST_P(EveryDevice, CopiesWithin) {
  auto data = pattern(10'000, 9);
  DeviceMemory from = allocate(data.size(), kA), to = allocate(data.size(), kA);
  good(device->copyIn(from.data(), data.data(), data.size(), kA));
  good(device->copyWithin(to.data(), from.data(), data.size(), kA));
  EXPECT_EQ(read(to, kA), data);
  good(device->copyWithin(nullptr, nullptr, 0, kA));
}

TEST_P(EveryDevice, FillsWithElements) {
  DeviceMemory memory = allocate(8, kA);
  auto filled = [&](size_t elementBytes) {
    good(device->fill(memory.data(), 0, 1, 8, kA));
    good(device->fill(memory.data(), 0x01020304, elementBytes, 6 / elementBytes, kA));
    return read(memory, kA);
  };
  using Bytes = std::vector<uint8_t>;
  EXPECT_EQ(filled(1), (Bytes{4, 4, 4, 4, 4, 4, 0, 0}));
  EXPECT_EQ(filled(2), (Bytes{4, 3, 4, 3, 4, 3, 0, 0}));
  EXPECT_EQ(filled(4), (Bytes{4, 3, 2, 1, 0, 0, 0, 0}));
  EXPECT_EQ(device->fill(memory.data(), 0, 3, 1, kA).status().code(), Code::kInvalidArgument);
  good(device->fill(nullptr, 0, 4, 0, kA));
}

TEST_P(EveryDevice, KeepsTheOrderOfAStream) {
  DeviceMemory a = allocate(100, kA), b = allocate(100, kA);
  for (unsigned i = 0; i < 50; ++i) {
    good(device->fill(a.data(), i, 1, 100, kA));
    good(device->copyWithin(b.data(), a.data(), 100, kA));
  }
  good(device->fill(a.data(), 99, 1, 100, kA));
  EXPECT_EQ(read(b, kA), std::vector<uint8_t>(100, 49));
}

TEST_P(EveryDevice, OrdersStreams) {
  DeviceMemory memory = allocate(64 << 10, kA);
  for (unsigned i = 0; i < 20; ++i) {
    StreamId first = i % 2 ? kA : kB, second = i % 2 ? kB : kA;
    good(device->fill(memory.data(), i, 1, memory.bytes(), first));
    good(device->order(kOut, good(device->mark(first))));
    EXPECT_EQ(read(memory, kOut), std::vector<uint8_t>(memory.bytes(), static_cast<uint8_t>(i)));
    good(device->order(second, device->lastMoment(first)));
  }
}

TEST_P(EveryDevice, CountsTickets) {
  DeviceMemory memory = allocate(4, kA);
  Moment before = device->lastMoment(kA);
  Moment first = good(device->fill(memory.data(), 1, 4, 1, kA));
  Moment second = good(device->fill(memory.data(), 2, 4, 1, kA));
  EXPECT_GT(first.ticket, before.ticket);
  EXPECT_GT(second.ticket, first.ticket);
  EXPECT_EQ(device->lastMoment(kA).ticket, second.ticket);
  await(second);
  EXPECT_TRUE(good(device->hasCompleted(first)));
  EXPECT_TRUE(good(device->hasCompleted({kB, 0})));
}

TEST_P(EveryDevice, RefusesStreamsAndMomentsThatThereAreNot) {
  StreamId none = computeStream(2);
  char byte = 0;
  EXPECT_EQ(device->allocate(1, none, "x").status().code(), Code::kInvalidArgument);
  EXPECT_EQ(device->copyIn(&byte, &byte, 0, none).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(device->copyOut(&byte, &byte, 0, none).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(device->mark(none).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(device->order(none, {kA, 0}).code(), Code::kInvalidArgument);
  Moment future{kA, device->lastMoment(kA).ticket + 1};
  EXPECT_EQ(device->order(kB, future).code(), Code::kInvalidArgument);
  EXPECT_EQ(device->hasCompleted(future).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(device->await(future, {"x", kLong}).code(), Code::kInvalidArgument);
  CompletionInbox inbox;
  device->tell(future, nullptr, inbox);
  Completion completion;
  ASSERT_TRUE(inbox.awaitNext(completion, kLong));
  EXPECT_EQ(completion.status.code(), Code::kInvalidArgument);
}

struct Numbered final : Work {
  explicit Numbered(size_t number) : number(number) {}
  Status run() override { return internalError("nobody runs it"); }
  size_t number;
};

// What was copied out is there when its inbox is told.
TEST_P(EveryDevice, TellsWhatHasCompleted) {
  constexpr size_t kCount = 40;
  CompletionInbox inbox;
  std::vector<DeviceMemory> all;
  std::vector<std::vector<uint8_t>> out(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    StreamId stream = i % 3 ? kA : kB;
    all.push_back(allocate(1000 * i, stream));
    out[i].resize(all[i].bytes());
    good(device->fill(all[i].data(), static_cast<uint32_t>(i), 1, all[i].bytes(), stream));
    Moment moment = good(device->copyOut(out[i].data(), all[i].data(), out[i].size(), stream));
    device->tell(moment, std::make_unique<Numbered>(i), inbox);
  }
  std::vector<bool> told(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    Completion completion;
    ASSERT_TRUE(inbox.awaitNext(completion, kLong));
    good(completion.status);
    EXPECT_LE(completion.begin, completion.end);
    size_t number = static_cast<Numbered &>(*completion.work).number;
    EXPECT_FALSE(told[number]);
    told[number] = true;
    EXPECT_EQ(out[number], std::vector<uint8_t>(out[number].size(), static_cast<uint8_t>(number)));
  }
}

TEST_P(EveryDevice, ReusesMemoryAcrossStreams) {
  StreamId streams[] = {kA, kB, kIn, kOut};
  for (unsigned i = 0; i < 100; ++i) {
    StreamId owner = streams[i % 4], other = streams[(i / 4 + i) % 4];
    DeviceMemory memory = allocate(1000 + 100 * (i % 7), owner);
    good(device->fill(memory.data(), i, 1, memory.bytes(), owner));
    good(device->order(other, device->lastMoment(owner)));
    std::vector<uint8_t> data(memory.bytes());
    Moment copied = good(device->copyOut(data.data(), memory.data(), data.size(), other));
    good(memory.noteUse(copied));
    memory.reset();
    DeviceMemory next = allocate(900, streams[(i + 1) % 4]);
    good(device->fill(next.data(), 255, 1, next.bytes(), streams[(i + 1) % 4]));
    await(copied);
    EXPECT_EQ(data, std::vector<uint8_t>(data.size(), static_cast<uint8_t>(i)));
  }
}

TEST_P(EveryDevice, SaysWhoHoldsMemoryWhenTheLimitIsReached) {
  open(8 * kMiB);
  DeviceMemory a = allocate(3 * kMiB, kA, "weights"), b = allocate(3 * kMiB, kB, "activations");
  Status refused = device->allocate(4 * kMiB, kA, "product").status();
  EXPECT_EQ(refused.code(), Code::kResourceExhausted);
  for (const char *part : {"'product'", "limit of 8 MiB", "'weights' 3 MiB", "'activations' 3 MiB"})
    EXPECT_NE(refused.message().find(part), std::string::npos) << refused.message();
  a.reset();
  b.reset();
  EXPECT_NE(allocate(8 * kMiB, kB).data(), nullptr);
}

// Whether there is memory does not depend on what has ended.
TEST_P(EveryDevice, WaitsForMemoryThatIsStillUsed) {
  open(8 * kMiB);
  for (int i = 0; i < 10; ++i) {
    StreamId stream = i % 2 ? kA : kB;
    DeviceMemory memory = allocate((i % 3 + 6) * kMiB, stream);
    good(device->fill(memory.data(), 1, 1, memory.bytes(), stream));
  }
}

TEST_P(EveryDevice, ServesSeveralThreads) {
  auto body = [this](unsigned number) {
    StreamId stream = number % 2 ? kA : kB;
    for (unsigned i = 0; i < 30; ++i) {
      auto data = pattern(1 + 997 * i, number + i);
      DeviceMemory memory = allocate(data.size(), stream);
      good(device->copyIn(memory.data(), data.data(), data.size(), stream));
      EXPECT_EQ(read(memory, stream), data);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i)
    threads.emplace_back(body, i);
  for (auto &thread : threads)
    thread.join();
}

TEST_P(EveryDevice, SaysWhatItHasNoCodeFor) {
  std::byte byte{};
  KernelImage images[] = {{"sm_20", {&byte, 1}}, {"strange", {&byte, 1}}};
  Status status = device->loadModule("codelets", images).status();
  if (device->space() == MemorySpace::kHost) {
    EXPECT_EQ(status.code(), Code::kUnimplemented);
    EXPECT_EQ(device->launch({}, kA).status().code(), Code::kUnimplemented);
    EXPECT_EQ(device->findKernel({}, "x", 0).status().code(), Code::kUnimplemented);
    return;
  }
  EXPECT_EQ(status.code(), Code::kUnavailable);
  for (const char *part : {"'codelets' for sm_", "sm_20, strange"})
    EXPECT_NE(status.message().find(part), std::string::npos) << status.message();
}

} // namespace
} // namespace sluice::rt
