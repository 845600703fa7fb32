// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What models share, and what they do not.
#include "test/runtime/embed/library_builder.h"

#include "runtime/embed/context.h"

#include <thread>

namespace sluice::rt {
namespace {

constexpr DType f32 = DType::kF32;

struct Sum : LibraryBuilder {
  Sum() {
    auto x = graph.feed("x:0", f32), y = graph.feed("y:0", f32);
    graph.fetch("sum:0", graph.kernel("nd.add", "sum", 0, {x, y}, {f32, f32}, f32, false), f32);
    feedPort(0).shape = feedPort(1).shape = fetchPort(0).shape = Shape{Shape::kUnknown};
  }
};

sluice_code runWith(ModelUnderTest &m, std::vector<float> &x) {
  (void)m.feed(0, x.data(), {static_cast<int64_t>(x.size())});
  (void)m.feed(1, x.data(), {static_cast<int64_t>(x.size())});
  return m.run();
}

sluice_context *contextOf(Sum &sum, int32_t threads, uint64_t memory) {
  sluice_context_options options{sizeof options, threads, memory};
  sluice_context *context = nullptr;
  EXPECT_EQ(sluice_context_create(sum.library(), &options, &context, nullptr), SLUICE_OK);
  return context;
}

TEST(EmbedContext, MemoryIsLimitedForAllItsModelsTogether) {
  constexpr size_t kElements = 100'000; // 400 kB a tensor, three tensors a call
  Sum sum;
  sluice_context *context = contextOf(sum, 0, 2'000'000);
  std::vector<float> x(kElements, 1);
  ModelUnderTest one(sum, context), two(sum, context), free(sum);
  EXPECT_EQ(runWith(one, x), SLUICE_OK) << one.error.message;
  EXPECT_EQ(runWith(two, x), SLUICE_RESOURCE_EXHAUSTED);
  EXPECT_EQ(runWith(free, x), SLUICE_OK); // it is in another context
  uint64_t held = 0, peak = 0;
  sluice_context_memory(sum.library(), context, &held, &peak);
  EXPECT_GE(held, 3 * 4 * kElements);
  EXPECT_LE(peak, 2'000'000u);
  std::vector<float> few(10, 1);
  EXPECT_EQ(runWith(one, few), SLUICE_OK); // gives back what it had
  EXPECT_EQ(runWith(two, x), SLUICE_OK) << two.error.message;
  sluice_context_free(sum.library(), context);
}

TEST(EmbedContext, HasNumbersOfThreadsWithinReason) {
  Sum sum;
  for (int32_t threads : {-5, -2, 1025, 1'000'000}) {
    sluice_context_options options{sizeof options, threads, 0};
    sluice_context *context = nullptr;
    sluice_error error{};
    EXPECT_EQ(sluice_context_create(sum.library(), &options, &context, &error),
              SLUICE_INVALID_ARGUMENT);
    EXPECT_EQ(error.message,
              "expected threads to be -1 to 1024 but got " + std::to_string(threads));
    EXPECT_EQ(context, nullptr);
  }
  for (int32_t threads : {-1, 0, 1024})
    sluice_context_free(sum.library(), contextOf(sum, threads, 0));
}

TEST(EmbedContext, WithoutALimitNothingIsCounted) {
  Sum sum;
  sluice_context *context = contextOf(sum, 0, 0);
  ModelUnderTest m(sum, context);
  std::vector<float> x(10'000, 1);
  EXPECT_EQ(runWith(m, x), SLUICE_OK);
  uint64_t held = 1, peak = 1;
  sluice_context_memory(sum.library(), context, &held, &peak);
  EXPECT_EQ(held + peak, 0u);
  sluice_context_free(sum.library(), context);
}

// The last model has it, wherever that ends.
TEST(EmbedContext, LivesAsLongAsItsModels) {
  Sum sum;
  sluice_context *context = contextOf(sum, 0, 1'000'000);
  ModelUnderTest m(sum, context);
  sluice_context_free(sum.library(), context);
  std::vector<float> x(1'000, 1);
  EXPECT_EQ(runWith(m, x), SLUICE_OK);
}

TEST(EmbedContext, ManyModelsOneAfterAnother) {
  Sum sum;
  sluice_context *context = contextOf(sum, 0, 1'000'000);
  std::vector<float> x(1'000, 1);
  for (int i = 0; i < 1000; ++i) { // more than there are accounts
    ModelUnderTest m(sum, context);
    ASSERT_EQ(runWith(m, x), SLUICE_OK);
  }
  sluice_context_free(sum.library(), context);
}

TEST(EmbedContext, HasLimitsOfItsOwn) {
  Sum sum;
  sluice_context *context = contextOf(sum, -1, 0);
  sluice_error error;
  EXPECT_GE(context->threads, 1);
  EXPECT_EQ(sluice_context_set_limit(sum.library(), context, "iterations", 7, &error), SLUICE_OK);
  EXPECT_EQ(sluice_context_set_limit(sum.library(), context, "iterations", 9, &error), SLUICE_OK);
  EXPECT_EQ(limitsOf(*context)[Limit::kIterations], 9u);
  EXPECT_EQ(limitsOf(*context)[Limit::kCallDepth], Limits()[Limit::kCallDepth]);
  EXPECT_EQ(sluice_context_set_limit(sum.library(), context, "iteration", 7, &error),
            SLUICE_NOT_FOUND);
  EXPECT_STREQ(error.message, "there is no limit 'iteration'");
  EXPECT_EQ(sluice_context_set_limit(sum.library(), context, "json-depth", 1'001, &error),
            SLUICE_INVALID_ARGUMENT);
  EXPECT_STREQ(error.message, "expected limit 'json-depth' to be 1 to 1000 but got 1001");
  sluice_context_free(sum.library(), context);
  sluice_context_free(sum.library(), nullptr);
}

TEST(EmbedContext, LimitsMemoryOfFeeds) {
  Sum sum;
  sluice_context *context = contextOf(sum, 0, 1'000'000);
  ModelUnderTest m(sum, context);
  int64_t many = 300'000, few = 100'000;
  void *memory = nullptr;
  EXPECT_EQ(sluice_call_feed_memory(m.call, 0, &many, &memory, &m.error),
            SLUICE_RESOURCE_EXHAUSTED);
  EXPECT_TRUE(std::string(m.error.message).starts_with("feed 'x:0': ")) << m.error.message;
  for (int turn = 0; turn < 5; ++turn) // each takes the place of the one before
    EXPECT_EQ(sluice_call_feed_memory(m.call, 0, &few, &memory, &m.error), SLUICE_OK);
  uint64_t held = 0;
  sluice_context_memory(sum.library(), context, &held, nullptr);
  EXPECT_GE(held, 400'000u);
  sluice_context_free(sum.library(), context);
}

// Their memory is not counted, but none is asked for that is more than the limit.
TEST(EmbedContext, LimitsASingleString) {
  LibraryBuilder echo;
  echo.graph.fetch("out", echo.graph.feed("in", DType::kString), DType::kString);
  sluice_context_options options{sizeof options, 0, 1'000'000};
  sluice_context *context = nullptr;
  ASSERT_EQ(sluice_context_create(echo.library(), &options, &context, nullptr), SLUICE_OK);
  ModelUnderTest m(echo, context);
  std::string text(1'500'000, 'x');
  auto runWithFirst = [&](size_t size) {
    sluice_string string{text.data(), size};
    sluice_tensor value{SLUICE_STRING, 0, nullptr, &string, sizeof string};
    EXPECT_EQ(sluice_call_feed(m.call, 0, &value, &m.error), SLUICE_OK);
    return m.run();
  };
  EXPECT_EQ(runWithFirst(700'000), SLUICE_OK) << m.error.message;
  EXPECT_EQ(runWithFirst(text.size()), SLUICE_RESOURCE_EXHAUSTED);
  EXPECT_STREQ(m.error.message, "not enough memory for a string of 1500000 bytes");
  EXPECT_EQ(runWithFirst(1000), SLUICE_OK) << m.error.message;
  sluice_context_free(echo.library(), context);
}

TEST(EmbedContext, ALimitEndsACall) {
  LibraryBuilder program;
  GraphBuilder &g = program.graph;
  auto loop =
      addCountingLoop(g, g.frame("loop", 10), g.constant<int32_t>(0), g.feed("n:0", DType::kI32));
  g.fetch("i:0", loop.exit, DType::kI32);
  sluice_context *context = nullptr;
  ASSERT_EQ(sluice_context_create(program.library(), nullptr, &context, nullptr), SLUICE_OK);
  ASSERT_EQ(sluice_context_set_limit(program.library(), context, "iterations", 50, nullptr),
            SLUICE_OK);
  ModelUnderTest m(program, context), other(program);
  int32_t n = 100;
  (void)m.feed(0, &n);
  (void)other.feed(0, &n);
  EXPECT_EQ(m.run(), SLUICE_OUT_OF_RANGE) << m.error.message;
  EXPECT_EQ(other.run(), SLUICE_OK) << other.error.message;
  sluice_context_free(program.library(), context);
}

} // namespace
} // namespace sluice::rt
