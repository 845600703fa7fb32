// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls through sluice.h: what is fed, run and fetched, and what is refused.
#include "test/runtime/embed/library_builder.h"

#include "runtime/base/cancellation.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

namespace sluice::rt {
namespace {

constexpr DType f32 = DType::kF32;

// x + y of any equal shape.
struct Sum : LibraryBuilder {
  explicit Sum(Shape shape = {}) {
    auto x = graph.feed("x:0", f32), y = graph.feed("y:0", f32);
    graph.fetch("sum:0", graph.kernel("nd.add", "sum", 0, {x, y}, {f32, f32}, f32, false), f32);
    feedPort(0).shape = feedPort(1).shape = fetchPort(0).shape = shape;
  }
};

TEST(EmbeddedCall, ReadsItsFeedsInEachRun) {
  Sum sum;
  ModelUnderTest m(sum);
  float x = 1, y = 2;
  ASSERT_EQ(m.feed(0, &x), SLUICE_OK);
  ASSERT_EQ(m.feed(1, &y), SLUICE_OK);
  ASSERT_EQ(m.run(), SLUICE_OK) << m.error.message;
  EXPECT_EQ(m.fetched<float>(0), std::vector{3.f});
  x = 40;
  ASSERT_EQ(m.run(), SLUICE_OK);
  EXPECT_EQ(m.fetched<float>(0), std::vector{42.f});
  EXPECT_EQ(m.fetch(0).dtype, SLUICE_F32);
  EXPECT_EQ(m.fetch(0).rank, 0);
}

TEST(EmbeddedCall, HasOtherShapesInOtherRuns) {
  Sum sum(Shape{Shape::kUnknown});
  ModelUnderTest m(sum);
  for (int64_t size : {3, 100, 0, 100}) {
    std::vector<float> x(static_cast<size_t>(size), 1), y(static_cast<size_t>(size), 2);
    ASSERT_EQ(m.feed(0, x.data(), {size}), SLUICE_OK) << m.error.message;
    ASSERT_EQ(m.feed(1, y.data(), {size}), SLUICE_OK);
    ASSERT_EQ(m.run(), SLUICE_OK) << m.error.message;
    EXPECT_EQ(m.fetched<float>(0), std::vector<float>(static_cast<size_t>(size), 3));
    ASSERT_EQ(m.fetch(0).rank, 1);
    EXPECT_EQ(m.fetch(0).dims[0], size);
  }
}

TEST(EmbeddedCall, HasMemoryForItsFeeds) {
  Sum sum(Shape{4});
  ModelUnderTest m(sum);
  void *x = nullptr, *y = nullptr;
  ASSERT_EQ(sluice_call_feed_memory(m.call, 0, nullptr, &x, &m.error), SLUICE_OK);
  ASSERT_EQ(sluice_call_feed_memory(m.call, 1, nullptr, &y, &m.error), SLUICE_OK);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(x) % 64, 0u);
  ASSERT_EQ(m.run(), SLUICE_OK);
  EXPECT_EQ(m.fetched<float>(0), std::vector<float>(4, 0)); // zeros at first
  std::fill_n(static_cast<float *>(x), 4, 5.f);
  ASSERT_EQ(m.run(), SLUICE_OK);
  EXPECT_EQ(m.fetched<float>(0), std::vector<float>(4, 5));
}

TEST(EmbeddedCall, HasNoMemoryWhereTheSizeIsNotKnown) {
  Sum sum(Shape{Shape::kUnknown});
  ModelUnderTest m(sum);
  void *x = &m;
  EXPECT_EQ(sluice_call_feed_memory(m.call, 0, nullptr, &x, &m.error), SLUICE_INVALID_ARGUMENT);
  EXPECT_EQ(x, nullptr);
  EXPECT_STREQ(m.error.message, "feed 'x:0': expected dims, for of [?] not all are known");
  int64_t size = 2, tooLarge = int64_t{1} << 61;
  EXPECT_EQ(sluice_call_feed_memory(m.call, 0, &size, &x, &m.error), SLUICE_OK);
  EXPECT_NE(x, nullptr);
  EXPECT_EQ(sluice_call_feed_memory(m.call, 0, &tooLarge, &x, &m.error), SLUICE_RESOURCE_EXHAUSTED);
}

TEST(EmbeddedCall, KnowsNoDenormals) {
  Sum sum;
  ModelUnderTest m(sum);
  float x = std::numeric_limits<float>::denorm_min(), y = 0;
  (void)m.feed(0, &x);
  (void)m.feed(1, &y);
  ASSERT_EQ(m.run(), SLUICE_OK);
  EXPECT_EQ(m.fetched<float>(0)[0], 0.f);
}

TEST(EmbeddedCall, TakesAndGivesStrings) {
  LibraryBuilder echo;
  echo.graph.fetch("out", echo.graph.feed("in", DType::kString), DType::kString);
  echo.feedPort(0).shape = echo.fetchPort(0).shape = Shape{2};
  ModelUnderTest m(echo);
  std::string long_(1000, 'x');
  sluice_string texts[] = {{"a\0b", 3}, {long_.data(), long_.size()}};
  int64_t dims[] = {2};
  sluice_tensor value{SLUICE_STRING, 1, dims, texts, sizeof texts};
  for (int turn = 0; turn < 2; ++turn) {
    ASSERT_EQ(sluice_call_feed(m.call, 0, &value, &m.error), SLUICE_OK) << m.error.message;
    ASSERT_EQ(m.run(), SLUICE_OK) << m.error.message;
    auto out = m.fetched<sluice_string>(0);
    ASSERT_EQ(out.size(), 2u);
    EXPECT_EQ(std::string(out[0].data, out[0].size), std::string("a\0b", 3));
    EXPECT_EQ(std::string(out[1].data, out[1].size), long_);
  }
  void *memory;
  EXPECT_EQ(sluice_call_feed_memory(m.call, 0, nullptr, &memory, nullptr), SLUICE_INVALID_ARGUMENT);
}

// A fetch that is the feed itself must not change when the caller writes to its memory.
TEST(EmbeddedCall, FetchesAreNotTheCallersMemory) {
  LibraryBuilder echo;
  echo.graph.fetch("out", echo.graph.feed("in", f32), f32);
  echo.feedPort(0).shape = echo.fetchPort(0).shape = Shape{100};
  ModelUnderTest m(echo);
  std::vector<float> x(100, 1);
  (void)m.feed(0, x.data(), {100});
  ASSERT_EQ(m.run(), SLUICE_OK);
  std::fill(x.begin(), x.end(), 2.f);
  EXPECT_EQ(m.fetched<float>(0), std::vector<float>(100, 1));
  ASSERT_EQ(m.run(), SLUICE_OK);
  EXPECT_EQ(m.fetched<float>(0), std::vector<float>(100, 2));
}

TEST(EmbeddedCall, RefusesWhatIsNotTheFeeds) {
  Sum sum(Shape{2, Shape::kUnknown});
  ModelUnderTest m(sum);
  float x[6] = {};
  double d[6] = {};
  EXPECT_EQ(m.feed(0, d, {2, 3}), SLUICE_INVALID_ARGUMENT);
  EXPECT_STREQ(m.error.message, "feed 'x:0': expected f32[2,?] but got f64[2,3]");
  EXPECT_EQ(m.feed(0, x, {3, 2}), SLUICE_INVALID_ARGUMENT);
  EXPECT_STREQ(m.error.message, "feed 'x:0': expected f32[2,?] but got f32[3,2]");
  EXPECT_EQ(m.feed(0, x, {2, -3}), SLUICE_INVALID_ARGUMENT);
  EXPECT_EQ(m.feed<float>(0, nullptr, {2, 3}), SLUICE_INVALID_ARGUMENT);
  EXPECT_STREQ(m.error.message, "feed 'x:0': expected elements but got a null pointer");
  int64_t dims[] = {2, 3};
  sluice_tensor value{SLUICE_F32, 2, dims, x, 23};
  EXPECT_EQ(sluice_call_feed(m.call, 0, &value, &m.error), SLUICE_INVALID_ARGUMENT);
  EXPECT_STREQ(m.error.message, "feed 'x:0': expected 6 elements of 4 bytes but got 23 bytes");
  for (int32_t dtype : {0, 17, -1}) {
    value = {dtype, 2, dims, x, 24};
    EXPECT_EQ(sluice_call_feed(m.call, 0, &value, nullptr), SLUICE_INVALID_ARGUMENT);
  }
  for (int32_t rank : {-1, 255}) {
    value = {SLUICE_F32, rank, dims, x, 24};
    EXPECT_EQ(sluice_call_feed(m.call, 0, &value, nullptr), SLUICE_INVALID_ARGUMENT);
  }
  EXPECT_EQ(m.feed(2, x, {2, 3}), SLUICE_INVALID_ARGUMENT);
  EXPECT_STREQ(m.error.message, "expected the number of a feed below 2 but got 2");
}

TEST(EmbeddedCall, RefusesRunsWithoutFeedsAndFetchesWithoutRuns) {
  Sum sum;
  ModelUnderTest m(sum);
  float x = 1;
  sluice_tensor value;
  EXPECT_EQ(sluice_call_fetch(m.call, 0, &value, &m.error), SLUICE_FAILED_PRECONDITION);
  EXPECT_STREQ(m.error.message, "fetch 'sum:0': the call has not run, or has failed");
  (void)m.feed(0, &x);
  EXPECT_EQ(m.run(), SLUICE_INVALID_ARGUMENT);
  EXPECT_STREQ(m.error.message, "feed 'y:0' was not given");
  (void)m.feed(1, &x);
  EXPECT_EQ(m.run(-1), SLUICE_INVALID_ARGUMENT);
  EXPECT_EQ(m.run(std::nan("")), SLUICE_INVALID_ARGUMENT);
  ASSERT_EQ(m.run(), SLUICE_OK);
  EXPECT_EQ(sluice_call_fetch(m.call, 1, &value, &m.error), SLUICE_INVALID_ARGUMENT);
  sluice_call *other = m.call;
  EXPECT_EQ(sluice_call_create(m.model, 1, &other, &m.error), SLUICE_INVALID_ARGUMENT);
  EXPECT_EQ(other, nullptr);
}

const Kernel failing = {nullptr, [](KernelCall &) { return invalidArgument("it fails"); },
                        Kernel::kStateful | Kernel::kAllocates};
std::atomic<bool> computes;
const Kernel endless = {nullptr,
                        [](KernelCall &call) {
                          call.output(0) = call.input(0);
                          if (*call.input(0).data<float>() < 0)
                            return okStatus();
                          computes = true;
                          while (!Cancellation::requestedHere())
                            std::this_thread::yield();
                          return okStatus();
                        },
                        Kernel::kStateful | Kernel::kAllocates};

TEST(EmbeddedCall, ErrorsNameTheNode) {
  LibraryBuilder fails;
  fails.graph.fetch(
      "y", fails.graph.kernel(failing, "layer/bad", 0, {fails.graph.feed("x", f32)}, f32), f32);
  ModelUnderTest m(fails);
  float x = 1;
  (void)m.feed(0, &x);
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_EQ(m.run(), SLUICE_INVALID_ARGUMENT);
    EXPECT_EQ(m.error.code, SLUICE_INVALID_ARGUMENT);
    EXPECT_STREQ(m.error.node, "layer/bad");
    EXPECT_STREQ(m.error.message, "it fails");
    EXPECT_EQ(sluice_call_run(m.call, 0, nullptr), SLUICE_INVALID_ARGUMENT);
  }
}

struct Endless : LibraryBuilder {
  Endless() {
    graph.fetch("y", graph.kernel(endless, "endless", 0, {graph.feed("x", f32)}, f32), f32);
    computes = false;
  }
};

TEST(EmbeddedCall, EndsInTime) {
  Endless program;
  ModelUnderTest m(program);
  float x = 1;
  (void)m.feed(0, &x);
  EXPECT_EQ(m.run(0.02), SLUICE_DEADLINE_EXCEEDED);
  EXPECT_NE(std::string(m.error.message).find("endless"), std::string::npos) << m.error.message;
  x = -1;
  EXPECT_EQ(m.run(60), SLUICE_OK) << m.error.message; // the deadline is over with its run
}

TEST(EmbeddedCall, IsCancelledByAnotherThread) {
  Endless program;
  ModelUnderTest m(program);
  float x = 1;
  (void)m.feed(0, &x);
  sluice_call_cancel(m.call); // nothing is under way, so nothing happens
  std::thread other([&] {
    while (!computes)
      std::this_thread::yield();
    sluice_call_cancel(m.call);
  });
  EXPECT_EQ(m.run(60), SLUICE_CANCELLED);
  other.join();
  x = -1;
  EXPECT_EQ(m.run(), SLUICE_OK) << m.error.message;
}

// Behind one who saves, who waits for a call that is under way.
TEST(EmbeddedCall, EndsInTimeAndIsCancelledWhileItWaits) {
  Endless program;
  ModelUnderTest m(program);
  float x = 1, harmless = -1;
  (void)m.feed(0, &x);
  sluice_call *other = nullptr;
  ASSERT_EQ(sluice_call_create(m.model, 0, &other, nullptr), SLUICE_OK);
  int64_t noDims = 0;
  sluice_tensor value{SLUICE_F32, 0, &noDims, &harmless, sizeof harmless};
  ASSERT_EQ(sluice_call_feed(other, 0, &value, nullptr), SLUICE_OK);
  computes = false;
  std::thread computing([&] { EXPECT_EQ(m.run(), SLUICE_CANCELLED); });
  while (!computes)
    std::this_thread::yield();
  std::string path = testing::TempDir() + "/sluice-saved-while-waiting";
  std::thread saving(
      [&] { EXPECT_EQ(sluice_model_save(m.model, path.c_str(), nullptr), SLUICE_OK); });
  sluice_error error;
  sluice_code code = SLUICE_OK;
  while (code == SLUICE_OK) // until the other one waits
    code = sluice_call_run(other, 0.05, &error);
  EXPECT_EQ(code, SLUICE_DEADLINE_EXCEEDED) << error.message;
  EXPECT_NE(std::string(error.message).find("the state of the model"), std::string::npos);
  std::atomic<bool> isOver = false;
  std::thread cancelling([&] {
    while (!isOver) {
      sluice_call_cancel(other);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  EXPECT_EQ(sluice_call_run(other, 0, &error), SLUICE_CANCELLED) << error.message;
  isOver = true;
  cancelling.join();
  sluice_call_cancel(m.call);
  computing.join();
  saving.join();
  EXPECT_EQ(sluice_call_run(other, 60, &error), SLUICE_OK) << error.message;
  sluice_call_free(other);
  (void)std::remove(path.c_str());
}

TEST(EmbeddedCall, AFeedThatIsRefusedLeavesTheOneBefore) {
  Sum sum(Shape{Shape::kUnknown});
  ModelUnderTest m(sum);
  float x[] = {1, 2}, y[] = {3, 4};
  ASSERT_EQ(m.feed(0, x, {2}), SLUICE_OK);
  ASSERT_EQ(m.feed(1, y, {2}), SLUICE_OK);
  int64_t large = 1'000'000;
  sluice_tensor short_{SLUICE_F32, 1, &large, y, sizeof y},
      none{SLUICE_F32, 1, nullptr, y, sizeof y};
  EXPECT_EQ(sluice_call_feed(m.call, 1, &short_, &m.error), SLUICE_INVALID_ARGUMENT);
  EXPECT_EQ(sluice_call_feed(m.call, 1, &none, &m.error), SLUICE_INVALID_ARGUMENT);
  EXPECT_STREQ(m.error.message, "feed 'y:0': expected 1 dims but got a null pointer");
  int64_t tooLarge = int64_t{1} << 61;
  void *memory;
  EXPECT_EQ(sluice_call_feed_memory(m.call, 0, &tooLarge, &memory, nullptr),
            SLUICE_RESOURCE_EXHAUSTED);
  ASSERT_EQ(m.run(), SLUICE_OK) << m.error.message;
  EXPECT_EQ(m.fetched<float>(0), (std::vector<float>{4, 6}));
}

TEST(EmbeddedCall, KeepsTheModelThatItIsOf) {
  Sum sum;
  float x = 1;
  ModelUnderTest m(sum);
  sluice_model_free(m.model);
  m.model = nullptr;
  (void)m.feed(0, &x);
  (void)m.feed(1, &x);
  ASSERT_EQ(m.run(), SLUICE_OK);
  EXPECT_EQ(m.fetched<float>(0)[0], 2.f);
}

// 1,000 calls, 8 at a time, in two contexts.
TEST(EmbeddedCall, RunsOnSeveralThreadsAtOnce) {
  Sum sum(Shape{Shape::kUnknown});
  sluice_context *context = nullptr;
  ASSERT_EQ(sluice_context_create(sum.library(), nullptr, &context, nullptr), SLUICE_OK);
  ModelUnderTest one(sum, context), other(sum);
  auto work = [&](int thread) {
    sluice_call *call = nullptr;
    ASSERT_EQ(sluice_call_create(thread % 2 ? one.model : other.model, 0, &call, nullptr),
              SLUICE_OK);
    for (int i = 0; i < 125; ++i) {
      int64_t size = i % 50;
      std::vector<float> x(static_cast<size_t>(size), static_cast<float>(thread));
      sluice_tensor value{SLUICE_F32, 1, &size, x.data(), x.size() * sizeof(float)};
      ASSERT_EQ(sluice_call_feed(call, 0, &value, nullptr), SLUICE_OK);
      ASSERT_EQ(sluice_call_feed(call, 1, &value, nullptr), SLUICE_OK);
      ASSERT_EQ(sluice_call_run(call, 0, nullptr), SLUICE_OK);
      ASSERT_EQ(sluice_call_fetch(call, 0, &value, nullptr), SLUICE_OK);
      for (int64_t k = 0; k < size; ++k)
        EXPECT_EQ(static_cast<const float *>(value.data)[k], static_cast<float>(2 * thread));
    }
    sluice_call_free(call);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back(work, i);
  for (std::thread &thread : threads)
    thread.join();
  sluice_context_free(sum.library(), context);
}

} // namespace
} // namespace sluice::rt
