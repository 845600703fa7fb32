// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tests leave out is left out, and nothing else; and what there is to leave out is told.
#include "runtime/sim/options.h"
#include "test/gpu/sim/handwritten_twin.h"
#include "test/gpu/sim/simulated_driver.h"

namespace sluice::test {
namespace {

using rt::sim::Omissible;
using rt::sim::Omissions;

TEST(Omissions, aPlaceHasOneNumber) {
  Omissions omissions({Omissible::kBarrier, 2, false});
  int places[3];
  testing::internal::CaptureStderr();
  EXPECT_FALSE(omissions.leavesOut(Omissible::kBarrier, &places[0], "one"));
  EXPECT_FALSE(omissions.leavesOut(Omissible::kBarrier, &places[0], "one"));
  EXPECT_TRUE(omissions.leavesOut(Omissible::kBarrier, &places[1], "two"));
  EXPECT_FALSE(omissions.leavesOut(Omissible::kBarrier, &places[2], "three"));
  EXPECT_TRUE(omissions.leavesOut(Omissible::kBarrier, &places[1], "two"));
  EXPECT_FALSE(omissions.leavesOut(Omissible::kCopy, "a copy"));
  EXPECT_FALSE(omissions.leavesOut(Omissible::kCopy, "a copy"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "sluice-sim: left out: barrier 2: two\n");
}

TEST(Omissions, countingTellsOfEachThingOnce) {
  Omissions omissions({Omissible::kNothing, 0, true});
  uint64_t question = 0, another = 0;
  testing::internal::CaptureStderr();
  for (int i = 0; i < 2; ++i)
    EXPECT_FALSE(omissions.leavesOut(Omissible::kQuestion, question, "a"));
  EXPECT_FALSE(omissions.leavesOut(Omissible::kQuestion, another, "b"));
  EXPECT_FALSE(omissions.leavesOut(Omissible::kEdge, "c"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "sluice-sim: question 1: a\nsluice-sim: question 2: b\nsluice-sim: edge 1: c\n");
}

TEST(Omissions, matterOnlyIfSomebodyAsks) {
  EXPECT_FALSE(Omissions({}).matter());
  EXPECT_TRUE(Omissions({Omissible::kWait, 1, false}).matter());
}

// A copy to the device, a kernel on another stream that waits for it, and a copy back.
struct Outcome {
  Result result = kSuccess;
  float value = 0;
  std::string told;
};
Outcome runWith(const char *omission, uint64_t seed) {
  SimulatedDriver driver(seed, {{"SLUICE_SIM_OMIT", omission}});
  Outcome outcome;
  driver.begin();
  Function fill = driver.function(handwrittenImage(), "fill");
  Stream first = driver.stream(), second = driver.stream();
  DevicePointer memory = driver.allocate(4);
  float *from = nullptr, *to = nullptr, value = 7;
  for (float **pinned : {&from, &to})
    EXPECT_EQ(driver.cuMemHostAlloc(reinterpret_cast<void **>(pinned), 4, 0), kSuccess);
  *from = 3;
  Event copied, back;
  EXPECT_EQ(driver.cuEventCreate(&copied, 0), kSuccess);
  EXPECT_EQ(driver.cuEventCreate(&back, 0), kSuccess);
  testing::internal::CaptureStderr();
  driver.cuMemcpyHtoDAsync(memory, from, 4, first);
  driver.cuEventRecord(copied, first);
  driver.cuStreamWaitEvent(second, copied, 0);
  void *parameters[] = {&memory, &value};
  driver.cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 0, second, parameters, nullptr);
  driver.cuMemcpyDtoHAsync(to, memory, 4, second);
  driver.cuEventRecord(back, second);
  while (driver.cuEventQuery(back) == kNotReady)
    ;
  outcome.value = *to;
  outcome.result = driver.cuCtxSynchronize();
  outcome.told = testing::internal::GetCapturedStderr();
  return outcome;
}

TEST(Omissions, aProgramHasSome) {
  Outcome outcome = runWith("count", 1);
  EXPECT_EQ(outcome.result, kSuccess);
  EXPECT_EQ(outcome.value, 7);
  EXPECT_EQ(outcome.told, "sluice-sim: copy 1: a copy to the device, 4 bytes\n"
                          "sluice-sim: wait 1: of stream 2 for stream 1\n"
                          "sluice-sim: copy 2: a copy to the host, 4 bytes\n"
                          "sluice-sim: question 1: about stream 2\n");
}

TEST(Omissions, aWaitThatIsLeftOutIsARace) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    Outcome outcome = runWith("wait:1", seed);
    EXPECT_EQ(outcome.result, kLaunchFailed) << seed;
    EXPECT_NE(outcome.told.find("race: "), std::string::npos) << outcome.told;
  }
}

TEST(Omissions, aCopyThatIsLeftOutCopiesNothing) {
  Outcome outcome = runWith("copy:2", 1);
  EXPECT_EQ(outcome.result, kSuccess);
  EXPECT_NE(outcome.value, 7);
}

TEST(Omissions, aQuestionThatIsLeftOutIsAnsweredAtOnce) {
  SimulatedDriver driver(1, {{"SLUICE_SIM_OMIT", "question:2"}, {"SLUICE_SIM_POLICY", "lazy"}});
  driver.begin();
  Stream stream = driver.stream();
  DevicePointer memory = driver.allocate(4);
  Event first, second;
  for (Event *event : {&first, &second}) {
    EXPECT_EQ(driver.cuMemsetD32Async(memory, 1, 1, stream), kSuccess);
    EXPECT_EQ(driver.cuEventCreate(event, 0), kSuccess);
    EXPECT_EQ(driver.cuEventRecord(*event, stream), kSuccess);
  }
  testing::internal::CaptureStderr();
  driver.cuEventQuery(first);
  EXPECT_EQ(driver.cuEventQuery(second), kSuccess);
  // The host has not learnt that the memory is there.
  int value;
  EXPECT_EQ(driver.cuMemcpyDtoH(&value, memory, 4), kLaunchFailed);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("nothing orders the two"),
            std::string::npos);
}

// Two fillings of the same bytes, as nodes of a graph.
TEST(Omissions, anEdgeThatIsLeftOutIsARace) {
  for (const char *omission : {"count", "edge:1"}) {
    SimulatedDriver driver(1, {{"SLUICE_SIM_OMIT", omission}});
    driver.begin();
    Stream stream = driver.stream();
    DevicePointer memory = driver.allocate(4);
    Graph graph;
    EXPECT_EQ(driver.cuGraphCreate(&graph, 0), kSuccess);
    GraphNodeParameters node = {};
    node.type = kNodeMemset;
    node.memset.to = memory;
    node.memset.elementBytes = 4;
    node.memset.width = node.memset.height = 1;
    GraphNode before, after;
    testing::internal::CaptureStderr();
    EXPECT_EQ(driver.cuGraphAddNode(&before, graph, nullptr, nullptr, 0, &node), kSuccess);
    EXPECT_EQ(driver.cuGraphAddNode(&after, graph, &before, nullptr, 1, &node), kSuccess);
    GraphExec exec;
    EXPECT_EQ(driver.cuGraphInstantiateWithFlags(&exec, graph, 0), kSuccess);
    driver.cuGraphLaunch(exec, stream);
    bool counts = std::string(omission) == "count";
    EXPECT_EQ(driver.cuStreamSynchronize(stream), counts ? kSuccess : kLaunchFailed);
    std::string told = testing::internal::GetCapturedStderr();
    EXPECT_NE(told.find("edge 1: from a memset to a memset"), std::string::npos) << told;
    EXPECT_EQ(told.find("race: ") == std::string::npos, counts) << told;
  }
}

TEST(Omissions, whatCannotBeLeftOutIsRefused) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const char *wrong : {"", "barrier", "barrier:0", "barrier:1x", "stream:1", "counts"}) {
    setenv("SLUICE_SIM_OMIT", wrong, 1);
    EXPECT_EXIT(rt::sim::optionsOfEnvironment(), testing::ExitedWithCode(2), "SLUICE_SIM_OMIT");
    unsetenv("SLUICE_SIM_OMIT");
  }
  setenv("SLUICE_SIM_GRID", "0", 1);
  EXPECT_EXIT(rt::sim::optionsOfEnvironment(), testing::ExitedWithCode(2), "SLUICE_SIM_GRID");
  unsetenv("SLUICE_SIM_GRID");
}

} // namespace
} // namespace sluice::test
