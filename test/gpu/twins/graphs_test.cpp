// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs whose kernels decide how often they run, and what is wrong about some.
#include "test/gpu/twins/kernel_calls.h"

namespace sluice::test {
namespace {

constexpr int kOuter = 10, kInner = 3;

// A program that makes graphs of the kernels of count_down.ll.
class GraphProgram {
public:
  GraphProgram(uint64_t seed, const KernelRuns &runs) : driver(seed, runs.settings()) {
    driver.begin();
    EXPECT_EQ(driver.cuModuleLoadData(&module_, runs.image().c_str()), kSuccess);
    EXPECT_EQ(driver.cuGraphCreate(&graph, 0), kSuccess);
    stream = driver.stream();
  }

  template <typename... Parameters>
  GraphNode kernel(Graph to, const char *name, std::vector<GraphNode> after, Parameters... values) {
    void *parameters[] = {&values...};
    GraphNodeParameters node = {};
    node.type = kNodeKernel;
    EXPECT_EQ(driver.cuModuleGetFunction(&node.kernel.function, module_, name), kSuccess);
    node.kernel.gridX = node.kernel.gridY = node.kernel.gridZ = 1;
    node.kernel.blockX = node.kernel.blockY = node.kernel.blockZ = 1;
    node.kernel.parameters = parameters;
    return add(to, node, after);
  }
  ConditionalHandle handle(Graph of, unsigned initial = 0, unsigned flags = 0) {
    ConditionalHandle handle = 0;
    EXPECT_EQ(driver.cuGraphConditionalHandleCreate(&handle, of, nullptr, initial, flags),
              kSuccess);
    return handle;
  }
  // Returns the bodies.
  std::vector<Graph> conditional(Graph to, ConditionalType type, ConditionalHandle handle,
                                 std::vector<GraphNode> after, unsigned size = 1,
                                 GraphNode *added = nullptr) {
    GraphNodeParameters node = {};
    node.type = kNodeConditional;
    node.conditional.handle = handle;
    node.conditional.type = type;
    node.conditional.size = size;
    GraphNode result = add(to, node, after);
    if (added)
      *added = result;
    return std::vector<Graph>(node.conditional.bodies, node.conditional.bodies + size);
  }
  // The answer of the wait.
  Result run(int launches) {
    GraphExec exec;
    if (Result result = driver.cuGraphInstantiateWithFlags(&exec, graph, 0))
      return result;
    for (int i = 0; i < launches; ++i)
      driver.cuGraphLaunch(exec, stream);
    return driver.cuStreamSynchronize(stream);
  }
  int value(DevicePointer place) { return driver.download<int>(place, 1)[0]; }

  SimulatedDriver driver;
  Graph graph = nullptr;
  Stream stream = nullptr;

private:
  GraphNode add(Graph to, GraphNodeParameters &node, const std::vector<GraphNode> &after) {
    GraphNode added = nullptr;
    EXPECT_EQ(driver.cuGraphAddNode(&added, to, after.data(), nullptr, after.size(), &node),
              kSuccess);
    return added;
  }
  Module module_ = nullptr;
};

static void runLoopInLoop(RunBy by) {
  KernelRuns runs("count_down", by);
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    GraphProgram program(seed, runs);
    DevicePointer outer = program.driver.upload(std::vector<int>{0}),
                  inner = program.driver.upload(std::vector<int>{0}),
                  total = program.driver.upload(std::vector<int>{0});
    ConditionalHandle outerHandle = program.handle(program.graph);
    GraphNode reset = program.kernel(program.graph, "reset", {}, outer, kOuter, outerHandle);
    Graph body = program.conditional(program.graph, kConditionalWhile, outerHandle, {reset})[0];
    ConditionalHandle innerHandle = program.handle(body);
    GraphNode again = program.kernel(body, "reset", {}, inner, kInner, innerHandle), loop;
    Graph innermost =
        program.conditional(body, kConditionalWhile, innerHandle, {again}, 1, &loop)[0];
    GraphNode count = program.kernel(innermost, "increment", {}, total);
    program.kernel(innermost, "count_down", {count}, inner, innerHandle);
    program.kernel(body, "count_down", {loop}, outer, outerHandle);
    ASSERT_EQ(program.run(2), kSuccess);
    EXPECT_EQ(program.value(total), 2 * kOuter * kInner);
  }
}

TEST(Graphs, aLoopInALoopRunsAsOftenAsItsKernelsSay) { runLoopInLoop(RunBy::kTwin); }
TEST(Graphs, interpretedKernelsSetConditionsAsWell) { runLoopInLoop(RunBy::kPtx); }

TEST(Graphs, aBranchIsTakenOrItsOther) {
  KernelRuns runs("count_down");
  for (unsigned condition : {0u, 1u}) {
    GraphProgram program(1, runs);
    DevicePointer taken = program.driver.upload(std::vector<int>{0}),
                  other = program.driver.upload(std::vector<int>{0});
    ConditionalHandle handle = program.handle(program.graph, condition, kConditionalAssignDefault);
    std::vector<Graph> bodies = program.conditional(program.graph, kConditionalIf, handle, {}, 2);
    program.kernel(bodies[0], "increment", {}, taken);
    program.kernel(bodies[1], "increment", {}, other);
    ASSERT_EQ(program.run(1), kSuccess);
    EXPECT_EQ(program.value(taken), int(condition));
    EXPECT_EQ(program.value(other), int(!condition));
  }
}

TEST(Graphs, nodesWithoutAnEdgeBetweenAreARace) {
  KernelRuns runs("count_down");
  for (bool edge : {true, false})
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      GraphProgram program(seed, runs);
      DevicePointer place = program.driver.upload(std::vector<int>{0});
      GraphNode first = program.kernel(program.graph, "increment", {}, place);
      std::vector<GraphNode> after;
      if (edge)
        after.push_back(first);
      program.kernel(program.graph, "increment", after, place);
      testing::internal::CaptureStderr();
      EXPECT_EQ(program.run(2), edge ? kSuccess : kLaunchFailed) << seed;
      testing::internal::GetCapturedStderr();
    }
}

TEST(Graphs, aConditionThatIsSetBesideItsNodeIsARace) {
  KernelRuns runs("count_down");
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    GraphProgram program(seed, runs);
    DevicePointer counter = program.driver.upload(std::vector<int>{1}),
                  total = program.driver.upload(std::vector<int>{0});
    ConditionalHandle handle = program.handle(program.graph, 0, kConditionalAssignDefault);
    program.kernel(program.graph, "reset", {}, counter, 1, handle);
    Graph body = program.conditional(program.graph, kConditionalIf, handle, {})[0];
    program.kernel(body, "increment", {}, total);
    testing::internal::CaptureStderr();
    EXPECT_EQ(program.run(1), kLaunchFailed) << seed;
    testing::internal::GetCapturedStderr();
  }
}

TEST(Graphs, anEmptyBodyIsRefused) {
  KernelRuns runs("count_down");
  GraphProgram program(1, runs);
  program.conditional(program.graph, kConditionalIf, program.handle(program.graph), {});
  testing::internal::CaptureStderr();
  EXPECT_EQ(program.run(1), kInvalidValue);
  testing::internal::GetCapturedStderr();
}

// A stream after a launch comes after all its nodes.
TEST(Graphs, aLaunchIsOneOperationToOthers) {
  KernelRuns runs("count_down");
  for (bool waits : {true, false})
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      GraphProgram program(seed, runs);
      SimulatedDriver &driver = program.driver;
      DevicePointer place = driver.upload(std::vector<int>{0});
      program.kernel(program.graph, "increment", {}, place);
      GraphExec exec;
      ASSERT_EQ(driver.cuGraphInstantiateWithFlags(&exec, program.graph, 0), kSuccess);
      testing::internal::CaptureStderr();
      driver.cuGraphLaunch(exec, program.stream);
      Stream other = driver.stream();
      Event event;
      driver.cuEventCreate(&event, 0);
      driver.cuEventRecord(event, program.stream);
      if (waits)
        driver.cuStreamWaitEvent(other, event, 0);
      driver.cuMemsetD32Async(place, 0, 1, other);
      EXPECT_EQ(driver.cuCtxSynchronize(), waits ? kSuccess : kLaunchFailed) << seed;
      testing::internal::GetCapturedStderr();
    }
}

// ---- Capture ------------------------------------------------------------------------------------

TEST(Graphs, streamsAreCaptured) {
  KernelRuns runs("count_down");
  for (bool joined : {true, false})
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      SimulatedDriver driver(seed, runs.settings());
      driver.begin();
      Function increment = driver.function(runs.image(), "increment");
      Stream first = driver.stream(), second = driver.stream();
      DevicePointer place = driver.upload(std::vector<int>{0});
      void *parameters[] = {&place};
      auto launch = [&](Stream stream) {
        EXPECT_EQ(
            driver.cuLaunchKernel(increment, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr),
            kSuccess);
      };
      Event fork, join;
      driver.cuEventCreate(&fork, kEventDisableTiming);
      driver.cuEventCreate(&join, kEventDisableTiming);
      EXPECT_EQ(driver.cuStreamBeginCapture(first, kCaptureThreadLocal), kSuccess);
      launch(first);
      EXPECT_EQ(driver.cuEventRecord(fork, first), kSuccess);
      EXPECT_EQ(driver.cuStreamWaitEvent(second, fork, 0), kSuccess);
      launch(second);
      EXPECT_EQ(driver.cuEventRecord(join, second), kSuccess);
      if (joined)
        EXPECT_EQ(driver.cuStreamWaitEvent(first, join, 0), kSuccess);
      launch(first);
      Graph graph;
      testing::internal::CaptureStderr();
      EXPECT_EQ(driver.cuStreamEndCapture(first, &graph),
                joined ? kSuccess : kStreamCaptureUnjoined);
      testing::internal::GetCapturedStderr();
      if (!joined)
        continue;
      GraphExec exec;
      ASSERT_EQ(driver.cuGraphInstantiateWithFlags(&exec, graph, 0), kSuccess);
      EXPECT_EQ(driver.cuGraphLaunch(exec, first), kSuccess);
      EXPECT_EQ(driver.cuGraphLaunch(exec, first), kSuccess);
      EXPECT_EQ(driver.cuStreamSynchronize(first), kSuccess);
      EXPECT_EQ(driver.download<int>(place, 1)[0], 6);
    }
}

} // namespace
} // namespace sluice::test
