// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steady state of a scalar loop allocates nothing: neither buffers nor heap blocks.
#include "test/runtime/executor/graph_builder.h"

#include <atomic>
#include <cstdlib>
#include <new>

static std::atomic<uint64_t> heapBlocks;

// Replaces the whole test program's operator new, to count.
void *operator new(size_t size) {
  ++heapBlocks;
  if (void *block = std::malloc(size ? size : 1))
    return block;
  std::abort();
}
void operator delete(void *block) noexcept { std::free(block); }
void operator delete(void *block, size_t) noexcept { std::free(block); }

namespace sluice::rt {
namespace {

// Buffers and heap blocks that a call takes whose result begins with `expected`.
template <typename T>
uint64_t blocksOfCall(Executor &executor, std::vector<Tensor> feeds, T expected) {
  uint64_t before = heapBlocks + memoryStats().allocations;
  auto result = executor.call(0, feeds);
  uint64_t after = heapBlocks + memoryStats().allocations;
  EXPECT_EQ(*(*result)[0].template data<T>(), expected);
  return after - before;
}

TEST(Allocation, ScalarLoopsAllocateNothingPerIteration) {
  GraphBuilder g;
  auto limit = g.feed("n:0", DType::kI32);
  auto loop = addCountingLoop(g, g.frame("loop", 10), g.constant<int32_t>(0), limit);
  g.fetch("i:0", loop.exit, DType::kI32);
  auto executor = g.build();
  auto blocksOf = [&](int32_t n) {
    return blocksOfCall(*executor, {Tensor::scalar<int32_t>(n)}, n);
  };
  blocksOf(100); // reaches the high-water mark
  EXPECT_EQ(blocksOf(10), blocksOf(10000));
}

// An inner loop that is entered again has the frame of the one before.
TEST(Allocation, EnteredLoopsAllocateNothingPerIteration) {
  GraphBuilder g;
  auto limit = g.feed("n:0", DType::kI32);
  uint32_t outer = g.frame("outer", 3), inner = g.frame("inner", 3, outer);
  auto loop = addCountingLoop(g, outer, g.constant<int32_t>(0), limit);
  addCountingLoop(g, inner, loop.body, loop.sum, outer);
  g.fetch("i:0", loop.exit, DType::kI32);
  auto executor = g.build();
  auto blocksOf = [&](int32_t n) {
    return blocksOfCall(*executor, {Tensor::scalar<int32_t>(n)}, n);
  };
  blocksOf(100); // reaches the high-water mark
  EXPECT_EQ(blocksOf(10), blocksOf(1000));
}

int32_t negateBody(SluiceCodeletCall *call) {
  for (int i = 0; i < 16; ++i)
    static_cast<float *>(call->outputs[0].data)[i] = -static_cast<float *>(call->inputs[0].data)[i];
  static_cast<int32_t *>(call->outputs[1].data)[0] = 1;
  return kSluiceOk;
}
constexpr uint32_t kIntoFirst[] = {1, 0};
constexpr SluiceCodelet kNegate = codeletOf(nullptr, negateBody, 64, kIntoFirst);

TEST(Allocation, CodeletsInLoopsAllocateNothingPerIteration) {
  GraphBuilder g;
  auto limit = g.feed("n:0", DType::kI32), x = g.feed("x:0", DType::kF32);
  uint32_t frame = g.frame("loop", 10);
  auto loop = addCountingLoop(g, frame, g.constant<int32_t>(0), limit);
  auto enter = g.enter("x", frame, x);
  g.add(NodeKind::kMerge, "merge_x", frame, {enter, enter}, 3);
  auto merge = g.last();
  g.add(NodeKind::kSwitch, "switch_x", frame, {merge, loop.condition}, 3);
  auto done = g.last(0), body = g.last(1);
  CodeletDesc &codelet = g.addCodelet(kNegate, 1);
  codelet.outputs = {{DType::kF32, Shape{16}, {}}, {DType::kI32, Shape{}, {}}};
  codelet.work = 16; // else how long it takes would count
  g.add(NodeKind::kNextIteration, "next_x", frame, {g.runCodelet("group", frame, {body})}, 1);
  g.node(merge).inputs[1] = g.last();
  g.add(NodeKind::kExit, "exit_x", frame, {done}, 1);
  g.fetch("x:0", g.last(), DType::kF32);
  auto executor = g.build();
  auto blocksOf = [&](int32_t n) {
    std::vector<Tensor> feeds{Tensor::scalar<int32_t>(n),
                              Tensor::vector<float>(std::vector<float>(16, 1))};
    return blocksOfCall(*executor, std::move(feeds), n % 2 ? -1.f : 1.f);
  };
  blocksOf(100); // reaches the high-water mark
  EXPECT_EQ(blocksOf(10), blocksOf(10000));
}

} // namespace
} // namespace sluice::rt
