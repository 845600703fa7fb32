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

TEST(Allocation, ScalarLoopsAllocateNothingPerIteration) {
  GraphBuilder g;
  auto limit = g.feed("n:0", DType::kI32);
  auto loop = addCountingLoop(g, g.frame("loop", 10), g.constant<int32_t>(0), limit);
  g.fetch("i:0", loop.exit, DType::kI32);
  auto executor = g.build();
  auto blocksOf = [&](int32_t n) {
    std::vector<Tensor> feeds{Tensor::scalar<int32_t>(n)};
    uint64_t before = heapBlocks + memoryStats().allocations;
    auto result = executor->call(0, feeds);
    uint64_t after = heapBlocks + memoryStats().allocations;
    EXPECT_EQ(*(*result)[0].data<int32_t>(), n);
    return after - before;
  };
  blocksOf(100); // reaches the high-water mark
  EXPECT_EQ(blocksOf(10), blocksOf(10000));
}

} // namespace
} // namespace sluice::rt
