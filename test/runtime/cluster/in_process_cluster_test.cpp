// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls over several ranks in one process.
#include "test/runtime/cluster/pair.h"
#include "test/runtime/cluster/split_loop.h"

#include <map>

namespace sluice::rt {
namespace {

std::unique_ptr<Runner> start(SplitLoop &loop, bool simulated, uint64_t seed = 0) {
  auto runner = makeInProcessCluster(loop.programs(), {simulated});
  RunOptions options;
  if (simulated)
    options.scheduleSeed = seed;
  runner->setOptions(options);
  return runner;
}

int32_t count(Runner &runner, int32_t limit) {
  Tensor feed = Tensor::scalar<int32_t>(limit);
  auto result = runner.call(0, std::span(&feed, 1));
  EXPECT_TRUE(result.ok()) << result.status().toString();
  return result.ok() ? *(*result)[0].data<int32_t>() : -1;
}

std::map<std::string, double> figures(const Runner &runner) {
  std::map<std::string, double> map;
  for (const auto &[name, value] : runner.stats())
    map[name] = value;
  return map;
}

TEST(InProcessCluster, threadsAgreeOnALoop) {
  SplitLoop loop;
  auto runner = start(loop, false);
  EXPECT_EQ(count(*runner, 1000), 1000);
  EXPECT_EQ(count(*runner, 0), 0);
  EXPECT_EQ(count(*runner, 7), 7);
  EXPECT_EQ(runner->leftoverTokens(), 0u);
  // In each iteration and the last one: body and predicate go out, the sum comes back.
  EXPECT_EQ(figures(*runner)["tokens_sent"], 2 * (1001 + 1 + 8));
  EXPECT_EQ(figures(*runner)["dead_tokens_sent"], 3); // the body of each call's last iteration
  EXPECT_EQ(figures(*runner)["tokens_received"], 1001 + 1 + 8);
}

TEST(InProcessCluster, everyScheduleGivesTheSame) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    SplitLoop loop(seed % 3 + 1);
    auto runner = start(loop, true, seed);
    EXPECT_EQ(count(*runner, 20), 20) << "seed " << seed;
    EXPECT_EQ(runner->leftoverTokens(), 0u) << "seed " << seed;
  }
}

TEST(InProcessCluster, aFailureOnAnotherRankFailsTheCallAndNoMore) {
  for (bool simulated : {false, true}) {
    SplitLoop loop(10, SplitLoop::Addition::kFailsAtThree);
    auto runner = start(loop, simulated);
    EXPECT_EQ(count(*runner, 3), 3);
    Tensor feed = Tensor::scalar<int32_t>(100);
    auto result = runner->call(0, std::span(&feed, 1));
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.status().code(), Code::kInvalidArgument);
    EXPECT_EQ(result.status().node(), "divide");
    EXPECT_EQ(count(*runner, 2), 2);
  }
}

TEST(InProcessCluster, variablesOfOtherRanksAreReadAndWritten) {
  for (bool simulated : {false, true}) {
    SplitLoop loop;
    loop.first().variable("m", DType::kF32, Shape{});
    loop.second().variable("z", DType::kF32, Shape{2});
    loop.second().variable("a", DType::kString, Shape{});
    auto runner = start(loop, simulated);
    std::span<Variable *const> variables = runner->variables();
    ASSERT_EQ(variables.size(), 3u);
    Variable *text = variables[0], *own = variables[1], *remote = variables[2];
    EXPECT_EQ(text->name + own->name + remote->name, "amz");
    EXPECT_EQ(remote->shape.toString(), "[2]");
    EXPECT_EQ(text->dtype, DType::kString);
    text->value = Tensor::string("text");
    remote->value = Tensor::vector<float>(std::vector<float>{1, 2});
    EXPECT_TRUE(runner->writeVariables().ok());
    EXPECT_EQ(count(*runner, 3), 3);
    text->value = remote->value = Tensor();
    EXPECT_TRUE(runner->readVariables().ok());
    ASSERT_TRUE(text->initialized() && remote->initialized() && !own->initialized());
    EXPECT_EQ(*text->value.data<std::string>(), "text");
    EXPECT_EQ(remote->value.data<float>()[1], 2);
  }
}

// As a simulation needs it.
TEST(InProcessCluster, membersFireAsManyNodesAsTheyMay) {
  GraphBuilder first, second;
  first.makeRank(0, 2);
  auto x = first.feed("x", DType::kI32);
  for (int i = 0; i < 5; ++i)
    x = first.kernel("nd.neg", "neg", 0, {x}, {DType::kI32}, DType::kI32);
  first.fetch("y", x, DType::kI32);
  second.makeRank(1, 2);
  Pair pair(first, second);
  for (int i = 0; i < 10; ++i)
    pair.act();
  Tensor feed = Tensor::scalar<int32_t>(1);
  pair.first().startCall(0, std::span(&feed, 1));
  std::vector<uint64_t> fired;
  for (unsigned most : {0u, 1u, 1u, 0u}) {
    (void)pair.first().progress(most);
    fired.push_back(pair.counters(pair.first()).firings);
    EXPECT_TRUE(pair.first().hasReadyCall());
  }
  EXPECT_EQ(fired, (std::vector<uint64_t>{0, 1, 2, 2}));
  EXPECT_TRUE(pair.finishCall());
  EXPECT_FALSE(pair.first().hasReadyCall());
}

TEST(InProcessCluster, theSameSeedGivesTheSameRun) {
  auto digest = [](uint64_t seed) {
    testing::internal::CaptureStderr();
    {
      SplitLoop loop;
      count(*start(loop, true, seed), 10);
    }
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(digest(1), digest(1));
  EXPECT_NE(digest(1), digest(2));
}

} // namespace
} // namespace sluice::rt
