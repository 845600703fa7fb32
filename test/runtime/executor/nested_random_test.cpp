// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers in nested loops: each firing has its own, under any schedule and window.
#include "test/runtime/executor/graph_builder.h"

#include <set>

namespace sluice::rt {
namespace {

constexpr DType i32 = DType::kI32, f32 = DType::kF32;

// Draws and prints a number whenever `trigger` is there.
void drawAndPrint(GraphBuilder &g, uint32_t frame, GraphBuilder::Value trigger) {
  g.generator("random");
  g.signature().constants.push_back(*Tensor::allocate(i32, Shape{0}));
  GraphBuilder::Value shape{OperandDesc::kConstant,
                            static_cast<uint32_t>(g.signature().constants.size() - 1)};
  auto drawn = g.kernel("state.random_uniform", "draw", frame, {shape}, {i32}, f32, false);
  g.node(drawn).controls = {trigger};
  g.node(drawn).attrs = {intAttr(/*generator*/ 0), intAttr(/*seed*/ 5), intAttr(/*seed2*/ 6)};
  auto printed = g.kernel("state.print", "print", frame, {drawn}, {f32}, DType::kInvalid);
  NodeDesc &print = g.node(printed);
  print.outputTypes.clear();
  print.outputIsScalar.clear();
  AttrDesc message;
  message.kind = static_cast<uint8_t>(Attr::Kind::kString);
  print.attrs = {intAttr(/*first_n*/ -1), message, intAttr(/*summarize*/ 3)};
}

// What is drawn in loops of two iterations each, nested so deep.
std::multiset<std::string> drawnIn(int depth, const RunOptions &schedule) {
  GraphBuilder g;
  auto zero = g.constant<int32_t>(0), two = g.constant<int32_t>(2);
  auto from = zero, to = two;
  GraphBuilder::Value exit{}, body{};
  uint32_t frame = 0;
  for (int d = 0; d < depth; ++d) {
    uint32_t inner = g.frame("loop", 3, frame);
    auto loop = addCountingLoop(g, inner, from, to, frame);
    if (!d)
      exit = loop.exit;
    body = loop.body;
    frame = inner;
    from = g.kernel("nd.sub", "from", frame, {body, body}, {i32, i32}, i32);
    to = g.kernel("nd.add", "to", frame, {from, two}, {i32, i32}, i32);
  }
  drawAndPrint(g, frame, body);
  g.fetch("i:0", exit, i32);
  auto executor = g.build();
  std::multiset<std::string> drawn;
  RunOptions options = schedule;
  options.print = [&](std::string_view line) { drawn.emplace(line); };
  executor->setOptions(options);
  auto result = executor->call(0, {});
  EXPECT_TRUE(result.ok()) << result.status().toString();
  return drawn;
}

TEST(NestedRandom, FiringsDiffer) {
  for (int depth = 1; depth <= 5; ++depth) {
    auto drawn = drawnIn(depth, {});
    EXPECT_EQ(drawn.size(), size_t{1} << depth);
    EXPECT_EQ(std::set(drawn.begin(), drawn.end()).size(), drawn.size()) << depth;
  }
}

TEST(NestedRandom, SchedulesAndWindowsDrawTheSame) {
  auto expected = drawnIn(3, {});
  for (uint64_t seed : {1, 2, 3})
    for (uint32_t window : {1, 4}) {
      RunOptions options;
      options.scheduleSeed = seed;
      options.parallelIterations = window;
      EXPECT_EQ(drawnIn(3, options), expected);
    }
}

} // namespace
} // namespace sluice::rt
